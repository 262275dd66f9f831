// Brings files back. Contract: how they are now is kept and written down before the first of them changes, so that a restore
// can be taken back; a file that has changed since the plan was made is left alone.
import type { CheckpointIndex, FileImages, RestoreScope } from '../ports/checkpoints.ts';
import type { PlannedFile } from './planRestore.ts';
import { sameImage } from './sameImage.ts';

export interface RestoreOrder {
	readonly files: readonly PlannedFile[];
	/** The message before whose changes it goes back. */
	readonly to: string;
	readonly scope: RestoreScope;
	readonly redo: boolean;
}

export interface RestoreOutcome {
	readonly restored: readonly string[];
	readonly failed: readonly { readonly path: string; readonly message: string }[];
}

/** Contract: never rejects. */
export async function restoreFiles(
	{ files, to, scope, redo }: RestoreOrder,
	{ images, index }: { readonly images: FileImages; readonly index: CheckpointIndex },
): Promise<RestoreOutcome> {
	const failed: { path: string; message: string }[] = [];
	const ready: PlannedFile[] = [];
	for (const file of files) {
		const now = await images.keep(file.path);
		if (!sameImage(now, file.current)) failed.push({ path: file.path, message: 'it has just changed' });
		else if (file.target.kind === 'file' && (await images.bytes(file.target)) === undefined) {
			failed.push({ path: file.path, message: 'it is not kept any more' });
		} else ready.push({ ...file, current: now });
	}
	const kept = ready.map(({ path, current: before, target: after }) => ({ path, before, after }));
	index.append({ type: 'restored', to, scope, redo, files: kept });
	const restored: string[] = [];
	for (const { path, target } of ready) {
		const outcome = await images.put(path, target);
		if (outcome.kind === 'done') restored.push(path);
		else failed.push({ path, message: outcome.message });
	}
	return { restored, failed };
}
