// Brings files back. Contract: how they are now is kept and written down before the first of them changes, so that a restore
// can be taken back; a file that has changed since the plan was made is left alone.
import type { CheckpointIndex, FileImages, PutFailure, RestoreScope } from '../ports/checkpoints.ts';
import type { PlannedFile } from './planRestore.ts';
import { sameImage } from './sameImage.ts';

export interface RestoreOrder {
	readonly files: readonly PlannedFile[];
	/** The message before whose changes it goes back. */
	readonly to: string;
	readonly scope: RestoreScope;
	readonly redo: boolean;
}

export interface FailedFile extends PutFailure {
	readonly path: string;
}

export interface RestoreOutcome {
	readonly restored: readonly string[];
	readonly failed: readonly FailedFile[];
}

/** Contract: never rejects. */
export async function restoreFiles(
	{ files, to, scope, redo }: RestoreOrder,
	{ images, index }: { readonly images: FileImages; readonly index: CheckpointIndex },
): Promise<RestoreOutcome> {
	const failed: FailedFile[] = [];
	const ready: PlannedFile[] = [];
	for (const file of files) {
		const now = await images.keep(file.path);
		if (!sameImage(now, file.current)) failed.push({ path: file.path, code: 'changed' });
		else if (file.target.kind === 'file' && (await images.bytes(file.target)) === undefined) {
			failed.push({ path: file.path, code: 'not_kept' });
		} else ready.push({ ...file, current: now });
	}
	const kept = ready.map(({ path, current: before, target: after }) => ({ path, before, after }));
	await index.append({ type: 'restored', to, scope, redo, files: kept });
	const restored: string[] = [];
	for (const { path, target } of ready) {
		const outcome = await images.put(path, target);
		if (outcome.kind === 'done') {
			restored.push(path);
			continue;
		}
		const { kind: _, ...failure } = outcome;
		failed.push({ path, ...failure });
	}
	return { restored, failed };
}
