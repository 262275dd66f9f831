// What going back to before a message of the person would do to the files. Pure. Rule: three states are compared (as it was,
// as the agent left it, as it is): what somebody else has made of a file meanwhile is a conflict, and theirs stays by default.
import type { CheckpointRecord, FileImage, UnkeptReason } from '../ports/checkpoints.ts';
import { pathKey } from '../util/paths.ts';
import { sameImage } from './sameImage.ts';

/** A file that was changed since a message, from what is written. */
export interface ChangedFile {
	readonly path: string;
	/** As it was before the first of the changes. */
	readonly before: FileImage;
	/** As it was left by the last one; undefined when that is not known (a crash came between). */
	readonly left: FileImage | undefined;
	/** Somebody else changed it between two changes of the agent. */
	readonly mixed: boolean;
}

export type Conflict =
	/** It is not as the agent left it. */
	| 'changed_since'
	/** Between two changes of the agent somebody else changed it. */
	| 'changed_between';

export interface PlannedFile {
	readonly path: string;
	readonly effect: 'create' | 'change' | 'delete';
	readonly current: FileImage;
	readonly target: FileImage;
	readonly conflict?: Conflict;
}

export interface RestorePlan {
	readonly files: readonly PlannedFile[];
	/** Changed, and cannot be brought back. */
	readonly lost: readonly { readonly path: string; readonly reason: UnkeptReason }[];
}

/** The files that changed since `promptId` was sent, oldest first; undefined when it is not known here. */
export function changedSince(
	records: readonly CheckpointRecord[],
	promptId: string,
): readonly ChangedFile[] | undefined {
	const start = records.findIndex((record) => record.type === 'prompt' && record.id === promptId);
	if (start < 0) return undefined;
	// What a look found late may belong to a message before this one.
	const earlier = new Set(records.slice(0, start).map((record) => (record.type === 'prompt' ? record.id : undefined)));
	return changedFiles(records.slice(start).filter((record) => record.type !== 'found' || !earlier.has(record.prompt)));
}

/** The restore that can be taken back: the newest one, unless it was taken back. */
export function redoable(
	records: readonly CheckpointRecord[],
): Extract<CheckpointRecord, { type: 'restored' }> | undefined {
	const last = records.findLast((record) => record.type === 'restored');
	return last?.type === 'restored' && !last.redo ? last : undefined;
}

/** What taking back a restore would change. */
export function changedByRestore(restored: Extract<CheckpointRecord, { type: 'restored' }>): readonly ChangedFile[] {
	return restored.files.map(({ path, before, after }) => ({ path, before, left: after, mixed: false }));
}

/** `current`: the files as they are, by path. */
export function planRestore(changed: readonly ChangedFile[], current: ReadonlyMap<string, FileImage>): RestorePlan {
	const files: PlannedFile[] = [];
	const lost: { path: string; reason: UnkeptReason }[] = [];
	for (const file of changed) {
		const { path, before: target } = file;
		const now = current.get(path) ?? { kind: 'unkept', reason: 'unreadable' };
		if (sameImage(now, target)) continue;
		if (target.kind === 'unkept') lost.push({ path, reason: target.reason });
		// What cannot be kept as it is could not be brought back afterwards.
		else if (now.kind === 'unkept') lost.push({ path, reason: now.reason });
		else files.push({ path, current: now, target, effect: effectOf(now, target), ...conflictOf(file, now) });
	}
	return { files, lost };
}

function effectOf(now: FileImage, target: FileImage): PlannedFile['effect'] {
	if (target.kind === 'missing') return 'delete';
	return now.kind === 'missing' ? 'create' : 'change';
}

function conflictOf({ left, mixed }: ChangedFile, now: FileImage): { readonly conflict?: Conflict } {
	if (left === undefined || !sameImage(left, now)) return { conflict: 'changed_since' };
	return mixed ? { conflict: 'changed_between' } : {};
}

/** One change of a file; `after` undefined: it was begun, no more is known. */
interface Step {
	readonly before: FileImage;
	readonly after: FileImage | undefined;
}

function changedFiles(records: readonly CheckpointRecord[]): readonly ChangedFile[] {
	const steps = new Map<string, { readonly path: string; readonly steps: Step[] }>();
	const stepsOf = (path: string): Step[] => {
		const key = pathKey(path);
		const known = steps.get(key) ?? { path, steps: [] };
		steps.set(key, known);
		return known.steps;
	};
	for (const record of records) {
		if (record.type === 'before') stepsOf(record.path).push({ before: record.image, after: undefined });
		if (record.type === 'after') {
			const known = stepsOf(record.path);
			const last = known.pop();
			// Without a beginning it goes on from where the last change left the file.
			if (last) known.push({ before: last.before, after: record.image });
		}
		if (record.type === 'found') stepsOf(record.path).push({ before: record.before, after: record.after });
		if (record.type === 'restored') {
			for (const { path, before, after } of record.files) stepsOf(path).push({ before, after });
		}
	}
	return [...steps.values()].flatMap(({ path, steps: all }) => changedFile(path, all) ?? []);
}

function changedFile(path: string, all: readonly Step[]): ChangedFile | undefined {
	// What changed nothing says nothing of whose the file is.
	const steps = all.filter(
		({ before, after }) => after === undefined || !(sameImage(before, after) || isDevice(before, after)),
	);
	const [first] = steps;
	if (!first) return undefined;
	const mixed = steps.some(({ before }, index) => {
		const previous = steps[index - 1];
		return previous !== undefined && !(previous.after !== undefined && sameImage(previous.after, before));
	});
	return { path, before: first.before, left: steps.at(-1)?.after, mixed };
}

/** Writing to a device or a pipe changes no file. */
function isDevice(before: FileImage, after: FileImage): boolean {
	return [before, after].every((image) => image.kind === 'unkept' && image.reason === 'special');
}
