// Property tests begin with the same seed in every run, so that a run says something about the code and not about its luck;
// `npm run properties` searches with others. Mocha loads it.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env['LOOPWRIGHT_SEED'] ?? 1) });
