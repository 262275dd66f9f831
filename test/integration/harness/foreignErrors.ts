// The extension host is shared: an error that another extension leaves uncaught (VS Code's own git extension writes to a git
// that has ended already) is none of the test that happens to run. It is printed, and fails nothing.
import type Mocha from 'mocha';

/** Mocha's runner, as far as it is not in its types. */
type Uncaught = Mocha.Runner & { readonly uncaught?: (this: void, error: unknown) => void };

/** As soon as the runner begins, replaces its listener for uncaught errors by one that leaves out those of other extensions. */
export function ignoreForeignErrors(runner: Mocha.Runner): void {
	runner.once('start', () => {
		const uncaught = (runner as Uncaught).uncaught;
		if (uncaught === undefined || !process.listeners('uncaughtException').includes(uncaught)) {
			throw new Error('Mocha no longer listens for uncaught errors in the way that this relies on.');
		}
		process.removeListener('uncaughtException', uncaught);
		const ours = (error: unknown) => {
			if (isForeign(error)) console.log(`  another extension left an error uncaught: ${String(error)}`);
			else uncaught(error);
		};
		process.on('uncaughtException', ours);
		runner.once('end', () => process.removeListener('uncaughtException', ours));
	});
}

/** Raised by the code of an extension that comes with VS Code, and by none of ours. */
export function isForeign(error: unknown): boolean {
	const stack = error instanceof Error ? (error.stack ?? '') : '';
	const places = stack.split('\n').flatMap((line) => /^\s+at (?:.*\()?(.+):\d+:\d+\)?$/.exec(line)?.[1] ?? []);
	const files = places.filter((place) => !place.startsWith('node:'));
	return files.length > 0 && files.every((file) => /[\\/]lib[\\/]vscode[\\/]extensions[\\/]/.test(file));
}
