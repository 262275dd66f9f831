// The extension host is shared: an error that another extension leaves uncaught (VS Code's own git extension writes to a git
// that has ended already) is none of the test that happens to run. It is printed, and fails nothing.
import Mocha from 'mocha';

/** Mocha's own handler, which its types leave out. */
type Uncaught = (this: Mocha.Runner, error: unknown) => void;

/** From now on Mocha leaves out the errors of other extensions. Its listener cannot be replaced: VS Code wraps those of `process`. */
export function ignoreForeignErrors(): void {
	const prototype = Mocha.Runner.prototype as unknown as { _uncaught?: Uncaught };
	const uncaught = prototype._uncaught;
	if (uncaught === undefined)
		throw new Error('Mocha no longer handles uncaught errors in the way that this relies on.');
	prototype._uncaught = function (this: Mocha.Runner, error: unknown): void {
		if (isForeign(error)) console.log(`  another extension left an error uncaught: ${String(error)}`);
		else uncaught.call(this, error);
	};
}

/** Raised by the code of an extension that comes with VS Code, and by none of ours. */
export function isForeign(error: unknown): boolean {
	const stack = error instanceof Error ? (error.stack ?? '') : '';
	const places = stack.split('\n').flatMap((line) => /^\s+at (?:.*\()?(.+):\d+:\d+\)?$/.exec(line)?.[1] ?? []);
	const files = places.filter((place) => !place.startsWith('node:'));
	return files.length > 0 && files.every((file) => /[\\/]lib[\\/]vscode[\\/]extensions[\\/]/.test(file));
}
