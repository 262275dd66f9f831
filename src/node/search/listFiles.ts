// The paths of a folder's files as ripgrep lists them: without what git ignores, in no order. No `stat`: quick for large folders.
import { runRipgrep } from './ripgrepProcess.ts';

export interface ListOrder {
	readonly rgPath: string;
	/** Absolute. */
	readonly folder: string;
	/** Paths at most. */
	readonly limit: number;
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
}

/** Relative to the folder, with the separators of the system. What could be listed, when it was not all. Never rejects. */
export async function listFiles({ rgPath, folder, limit, timeoutMs, signal }: ListOrder): Promise<readonly string[]> {
	const paths: string[] = [];
	await runRipgrep({
		rgPath,
		args: ['--files', '--no-config', '--hidden', '--null', '--glob', '!**/.git/**'],
		cwd: folder,
		separator: '\0',
		timeoutMs,
		signal,
		onRecord: (record) => {
			if (record !== '') paths.push(record);
			return paths.length < limit;
		},
	});
	return paths;
}
