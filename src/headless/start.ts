// The file that is started, built to dist/headless.js: loads the runner beside it by way of the code cache.
import path from 'node:path';
import process from 'node:process';
import { loopwrightHome } from '../node/sessions/paths.ts';
import { CodeCache } from './codeCache.ts';

start(__dirname);

function start(folder: string): void {
	const off = Boolean(process.env['NODE_DISABLE_COMPILE_CACHE']);
	const cache = new CodeCache(off ? undefined : path.join(loopwrightHome(), 'cache'));
	// A run that asked no model has compiled too little to be worth keeping.
	process.on('exit', () => {
		if (cache.size > 1) cache.save();
	});
	cache.load(path.join(folder, 'runner.js'));
}
