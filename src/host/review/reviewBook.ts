// What waits for review in this window: the files with the agent's hunks, moved along with every change, whoever makes it.
// Contract: undoing writes only where the text is the expected one; nothing here shows or focuses anything. No `vscode`.
import { limits } from '../../core/limits.ts';
import type { ChangeOutcome, FileChange, Workspace } from '../../core/ports/workspace.ts';
import { applyEdits, lineEdits } from '../../core/tools/edits.ts';
import type { RangeChange } from '../../core/review/lines.ts';
import { sameLines, splitLines } from '../../core/review/lines.ts';
import {
	agentEdited,
	baselineOf,
	createdFile,
	edited,
	kept,
	replaced,
	textOf,
	undone,
	unreviewed,
} from '../../core/review/reviewedFile.ts';
import type { ChangedBy, ReviewedFile, ReviewTurn } from '../../core/review/reviewedFile.ts';
import { pathKey } from '../../core/util/paths.ts';
import { KeyedQueue } from '../../node/workspace/keyedQueue.ts';
import type { ReviewStore, StoredReview } from './reviewStore.ts';

export interface BookDeps {
	readonly store: Pick<ReviewStore, 'load' | 'save' | 'remove'>;
	/** The one whose changes are nobody's edits to review. */
	readonly workspace: Workspace;
	/** Runs a task after so many milliseconds, unless it is cancelled. */
	readonly later: (task: () => void, ms: number) => () => void;
}

/** What a document tells of a change of it. */
export interface DocumentChange {
	readonly path: string;
	readonly changes: readonly RangeChange[];
	readonly by: ChangedBy;
	/** The editor's undo or redo: a text that was there before. */
	readonly undoing: boolean;
	/** After the change. */
	readonly lineCount: number;
	readonly text: () => string;
}

export type UndoOutcome =
	| { readonly kind: 'undone'; readonly step: UndoStep }
	/** The lines are not the agent's any more, or the text changed in this moment; nothing was written. */
	| { readonly kind: 'gone' }
	| { readonly kind: 'failed'; readonly message: string };

export type RedoOutcome = Exclude<UndoOutcome, { kind: 'undone' }> | { readonly kind: 'redone' };

/** How a file was before an undo, and as the undo left it, so that it can be taken back. */
export interface UndoStep {
	readonly before: StoredReview;
	/** Hunks that it undid. */
	readonly count: number;
	/** Undefined: the file was removed. */
	readonly text: string | undefined;
}

interface AgentEdit {
	readonly before: string;
	readonly planned: string;
	readonly text: string;
	readonly creates: boolean;
	readonly turn: ReviewTurn;
}

interface Entry extends StoredReview {
	file: ReviewedFile;
	/** States before hunks were lost or made, for the editor's undo and redo; the latest last. */
	history: readonly ReviewedFile[];
	/** The lines that are being written by us: what documents tell meanwhile belongs to that, unless the person typed. */
	writing: readonly string[] | undefined;
	typed: boolean;
	cancelSave: (() => void) | undefined;
}

const saveDelay = 300;
const longestHistory = 20;
const closedHistory = 3;

export class ReviewBook {
	private readonly deps: BookDeps;
	private readonly entries = new Map<string, Entry>();
	private readonly work = new KeyedQueue();
	private readonly listeners = new Set<() => void>();

	constructor(deps: BookDeps) {
		this.deps = deps;
	}

	/** With something to review, by path. */
	get files(): readonly StoredReview[] {
		const waiting = [...this.entries.values()].filter(({ file }) => file.hunks.length > 0);
		return waiting.toSorted((one, other) => (one.path < other.path ? -1 : 1));
	}

	/** Of these the text may still change what is marked: another branch takes marks away, the way back brings them. */
	get watched(): readonly Pick<StoredReview, 'path' | 'realPath'>[] {
		return [...this.entries.values()];
	}

	/** Hunks in all files. */
	get count(): number {
		return this.files.reduce((sum, { file }) => sum + file.hunks.length, 0);
	}

	/** The file at a path, or the one that it leads to, if something of it waits. */
	file(path: string): ReviewedFile | undefined {
		const found = this.find(path)?.file;
		return found && found.hunks.length > 0 ? found : undefined;
	}

	/** With its places. */
	stored(path: string): StoredReview | undefined {
		const found = this.find(path);
		return found && { path: found.path, realPath: found.realPath, file: found.file };
	}

	/** The text without the agent's unjudged edits; `undefined` for a file that has none. */
	baseline(path: string): string | undefined {
		const found = this.file(path);
		return found && baselineOf(found);
	}

	onChange(listener: () => void): () => void {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/** What an earlier window left; files that have changed since are compared. */
	async restore(): Promise<void> {
		for (const found of await this.deps.store.load()) {
			const key = pathKey(found.realPath);
			if (!this.entries.has(key)) this.entries.set(key, newEntry(found, found.file));
		}
		await Promise.all([...this.entries.values()].map(({ path }) => this.sync(path)));
		this.tell();
	}

	/** Applies an edit of the agent by `apply`, and marks what it did as done in the turn of that moment. */
	async agentChanges(
		change: FileChange,
		apply: () => Promise<ChangeOutcome>,
		turn: () => ReviewTurn,
	): Promise<ChangeOutcome> {
		const realPath = change.realPath ?? (await this.deps.workspace.realPath(change.path));
		return this.work.run(pathKey(realPath), async () => {
			const creates = change.expected === undefined && (await this.deps.workspace.stat(change.path)) === undefined;
			const key = pathKey(realPath);
			const before = change.expected ?? '';
			const entry = this.entries.get(key) ?? newEntry({ path: change.path, realPath }, unreviewed(before));
			this.entries.set(key, entry);
			const planned = applyEdits(before, change.edits);
			const outcome = await written(entry, splitLines(planned), apply);
			if (outcome.kind === 'applied' && outcome.text.length <= limits.documentBytes) {
				this.mark(entry, { before, planned, text: outcome.text, creates, turn: turn() });
			} else if (outcome.kind === 'applied') entry.file = unreviewed('');
			if (entry.file.hunks.length === 0 && entry.history.length === 0) this.entries.delete(key);
			await this.settle(entry);
			return outcome;
		});
	}

	/** A document was changed, by whomever. */
	documentChanged({ path, changes, by, undoing, lineCount, text }: DocumentChange): void {
		const entry = this.find(path);
		if (!entry) return;
		if (entry.writing) {
			entry.typed ||= by === 'typing' && !sameLines(splitLines(text()), entry.writing);
			return;
		}
		const before = entry.file;
		let next = edited(before, changes, by);
		if (changes.length === 0 || documentLines(next) !== lineCount) next = replaced(before, text(), by);
		next = recalled(entry, next, undoing || by === 'unknown');
		this.put(entry, next);
	}

	/** Compares with the file as it is now: it was changed outside, or found again after a reload. */
	async sync(path: string): Promise<void> {
		const entry = this.find(path);
		if (!entry) return;
		await this.work.run(pathKey(entry.realPath), async () => {
			for (let seen: ReviewedFile | undefined; seen !== entry.file;) {
				seen = entry.file;
				const content = await this.deps.workspace.read(entry.path);
				// Typed meanwhile: what was read is older than what is known.
				if (seen !== entry.file) continue;
				if (content.kind === 'text') {
					this.put(entry, recalled(entry, replaced(seen, content.text, 'unknown'), true));
				} else if (content.kind === 'missing' || content.kind === 'folder') this.forget(entry.path);
				return;
			}
		});
	}

	/** From now on these hunks are as good as the person's own lines. */
	async keep(path: string, ids: readonly number[]): Promise<void> {
		const entry = this.find(path);
		if (!entry) return;
		entry.history = [];
		entry.file = kept(entry.file, ids);
		await this.settle(entry);
	}

	/** Puts back what was there before these hunks, in one undo step. Not for created files, which go as a whole. */
	async undo(path: string, ids: readonly number[]): Promise<UndoOutcome> {
		await this.sync(path);
		const entry = this.find(path);
		if (!entry) return { kind: 'gone' };
		return this.work.run(pathKey(entry.realPath), async () => {
			const chosen = entry.file.hunks.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
			if (chosen.length === 0) return { kind: 'gone' };
			if ((await this.deps.workspace.openNotebook?.(entry.path))?.unsaved) {
				return { kind: 'failed', message: 'an editor holds the notebook with unsaved changes' };
			}
			const before = entry.file;
			const { edits, file } = undone(before, chosen);
			const { path: target, realPath } = entry;
			const change = { path: target, realPath, expected: textOf(before), edits };
			const outcome = await written(entry, file.lines, () => this.deps.workspace.change(change));
			if (outcome.kind === 'failed') return outcome;
			if (outcome.kind === 'changed') return { kind: 'gone' };
			remember(entry, before);
			entry.file = replaced(file, outcome.text, entry.typed ? 'typing' : 'saving');
			await this.settle(entry);
			const step = { before: { path: target, realPath, file: before }, count: chosen.length, text: outcome.text };
			return { kind: 'undone', step };
		});
	}

	/** Takes an undo back, marks and all. Contract: only where the text is as the undo left it. */
	async redo({ before, text }: UndoStep): Promise<RedoOutcome> {
		const { path, realPath, file } = before;
		const key = pathKey(realPath);
		return this.work.run(key, async () => {
			const entry = this.entries.get(key) ?? newEntry(before, unreviewed(text ?? ''));
			this.entries.set(key, entry);
			const left = entry.file;
			const change = { path, realPath, expected: text, edits: lineEdits(text ?? '', textOf(file)) };
			const outcome = await written(entry, file.lines, () => this.deps.workspace.change(change));
			if (outcome.kind !== 'applied') {
				if (entry.file.hunks.length === 0 && entry.history.length === 0) this.entries.delete(key);
				return outcome.kind === 'failed' ? outcome : { kind: 'gone' };
			}
			remember(entry, left);
			entry.file = replaced({ ...file, nextId: Math.max(file.nextId, left.nextId) }, outcome.text, 'saving');
			await this.settle(entry);
			return { kind: 'redone' };
		});
	}

	/** The file, or everything below the folder, has another name now. */
	renamed(from: string, to: string): void {
		for (const [key, entry] of this.entries) {
			const [path, realPath] = [moved(entry.path, from, to), moved(entry.realPath, from, to)];
			if (path === undefined && realPath === undefined) continue;
			entry.cancelSave?.();
			this.entries.delete(key);
			void this.deps.store.remove(entry.realPath);
			const next = { ...entry, path: path ?? entry.path, realPath: realPath ?? entry.realPath, cancelSave: undefined };
			this.entries.set(pathKey(next.realPath), next);
			this.put(next, next.file);
		}
		this.tell();
	}

	/** The file, or everything below the folder, is gone; if it comes back as it was, so do its marks. */
	forget(path: string): void {
		for (const entry of this.entries.values()) {
			if (moved(entry.path, path, '') === undefined && moved(entry.realPath, path, '') === undefined) continue;
			entry.cancelSave?.();
			entry.cancelSave = undefined;
			if (entry.file.hunks.length > 0) remember(entry, entry.file);
			entry.file = unreviewed('');
			void this.deps.store.remove(entry.realPath);
		}
		this.tell();
	}

	/** No editor has the file any more: its undo steps are gone, the way back from another branch is not. */
	closed(path: string): void {
		const entry = this.find(path);
		if (!entry || entry.writing) return;
		entry.history = entry.history.slice(-closedHistory);
		if (entry.file.hunks.length === 0 && entry.history.length === 0) this.entries.delete(pathKey(entry.realPath));
	}

	dispose(): void {
		this.listeners.clear();
		for (const entry of this.entries.values()) {
			if (!entry.cancelSave) continue;
			entry.cancelSave();
			void this.save(entry);
		}
	}

	private mark(entry: Entry, { turn, ...edit }: AgentEdit): void {
		const old = textOf(entry.file) === edit.before ? entry.file : replaced(entry.file, edit.before, 'unknown');
		remember(entry, old);
		// Typed while it was saved: only what was planned is the agent's.
		const text = entry.typed ? edit.planned : edit.text;
		const file = edit.creates ? createdFile(text, turn) : agentEdited(old, text, turn);
		entry.file = entry.typed ? replaced(file, edit.text, 'typing') : file;
	}

	/** A new state, written soon. */
	private put(entry: Entry, file: ReviewedFile): void {
		if (entry.file === file && entry.cancelSave) return;
		entry.file = file;
		entry.cancelSave?.();
		entry.cancelSave = this.deps.later(() => {
			entry.cancelSave = undefined;
			void this.save(entry);
		}, saveDelay);
		this.tell();
	}

	/** A new state that has to last, written now. */
	private async settle(entry: Entry): Promise<void> {
		entry.cancelSave?.();
		entry.cancelSave = undefined;
		this.tell();
		await this.save(entry);
	}

	private async save(entry: Entry): Promise<void> {
		if (entry.file.hunks.length > 0) await this.deps.store.save(entry);
		else await this.deps.store.remove(entry.realPath);
	}

	private find(path: string): Entry | undefined {
		const key = pathKey(path);
		return this.entries.get(key) ?? [...this.entries.values()].find((entry) => pathKey(entry.path) === key);
	}

	private tell(): void {
		for (const listener of this.listeners) listener();
	}
}

function newEntry({ path, realPath }: Pick<StoredReview, 'path' | 'realPath'>, file: ReviewedFile): Entry {
	return { path, realPath, file, history: [], writing: undefined, typed: false, cancelSave: undefined };
}

/** Writes a change of ours; `typed` says afterwards whether the person typed meanwhile. */
async function written(
	entry: Entry,
	lines: readonly string[],
	apply: () => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
	entry.writing = lines;
	entry.typed = false;
	try {
		return await apply();
	} finally {
		entry.writing = undefined;
	}
}

/** The next state of a text that may have been there before: then with the marks that it had. */
function recalled(entry: Entry, next: ReviewedFile, again: boolean): ReviewedFile {
	const before = entry.file;
	const changes = again && !sameLines(before.lines, next.lines);
	const known = changes ? entry.history.findLast(({ lines }) => sameLines(lines, next.lines)) : undefined;
	const state = known ? { ...known, lines: next.lines, nextId: Math.max(known.nextId, next.nextId) } : next;
	if (!sameHunks(before, state)) remember(entry, before);
	return state;
}

function remember(entry: Entry, file: ReviewedFile): void {
	entry.history = [...entry.history, file].slice(-longestHistory);
}

function sameHunks(one: ReviewedFile, other: ReviewedFile): boolean {
	return one.hunks.length === other.hunks.length && one.hunks.every(({ id }, at) => other.hunks[at]?.id === id);
}

/** Lines as a document counts them: an empty one follows a final line end. */
function documentLines({ lines }: ReviewedFile): number {
	return /[\r\n]$/.test(lines.at(-1) ?? '\n') ? lines.length + 1 : lines.length;
}

/** Where a path is when `from` became `to`; undefined when it is not that path nor below it. */
function moved(path: string, from: string, to: string): string | undefined {
	const [key, start] = [pathKey(path), pathKey(from)];
	if (key === start) return to;
	const next = key.charAt(start.length);
	return key.startsWith(start) && (next === '/' || next === '\\') ? to + path.slice(from.length) : undefined;
}
