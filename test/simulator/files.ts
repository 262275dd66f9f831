// Files of a run and the calls that change them: what a change may do is judged here, line by line. Every line is unique and
// says who wrote it: `f` was there, `s` somebody else, `p` the person in a proposal, `n4.1` the call n4 in its change 1.
import { acceptedText } from '../../src/core/tools/choice.ts';
import type { EditOutcome, HunkOutcome, RequestDetail } from '../../src/shared/permission.ts';
import type { ChangeOutcome, FileChange, FileContent, ProposedEdit, TextEdit } from '../../src/core/ports/workspace.ts';
import type { FinishedToolState } from '../../src/core/messages/journal.ts';
import type { Decisions } from './decisions.ts';

/** An edit that the model asked for. */
interface Asked {
	readonly nonce: string;
	/** The lines that it may remove; undefined: any that was shown to the person, or read. */
	readonly removes: readonly string[] | undefined;
	/** The lines that it is to add. */
	readonly adds: readonly string[];
	/** What the person was shown, and what they took of it. */
	proposed?: ProposedEdit;
	taken?: readonly string[];
	/** The line that they wrote into it. */
	own?: string;
	denied: ReadonlySet<string>;
	applied: number;
}

interface FileRules {
	fail(message: string): void;
	note(text: string): void;
	count(what: string): void;
}

export class SimFiles {
	/** By absolute path. */
	readonly texts = new Map<string, string>();
	/** Counts changes: times of the files. */
	version = 1;
	private lines = 0;
	private begun = false;
	private lastPath = 'a.txt';
	/** By path: the lines as they will be when the edits of the answer so far are done as proposed. */
	private readonly planned = new Map<string, readonly string[]>();
	/** The person lets edits pass without being shown all of them. */
	trusting = false;
	/** They may come to do so; else they look at every proposal. */
	readonly mayTrust: boolean;
	/** By input, as JSON: what the model wrote. */
	private readonly asked = new Map<string, Asked>();
	/** By id of the call. */
	private readonly calls = new Map<string, Asked>();
	/** Ids of the calls that have started, and were not told as ended (or were given up). */
	private readonly active = new Set<string>();
	private readonly rules: FileRules;
	private readonly decisions: Decisions;

	constructor(decisions: Decisions, rules: FileRules) {
		this.decisions = decisions;
		this.rules = rules;
		this.mayTrust = decisions.below(2) === 0;
		for (const name of ['a.txt', 'b.txt']) {
			const lines = Array.from({ length: 4 + decisions.below(40) }, () => this.line('f'));
			this.texts.set(`/w/${name}`, lines.join('\n') + (decisions.below(3) === 2 ? '' : '\n'));
		}
	}

	/** True once: the model begins with reading. */
	begin(): boolean {
		const first = !this.begun;
		this.begun = true;
		return first;
	}

	/** The model begins an answer: it knows the files as they are. */
	newAnswer(): void {
		this.planned.clear();
	}

	read(path: string): FileContent {
		const text = this.texts.get(path);
		return text === undefined ? { kind: 'missing' } : { kind: 'text', text, unsaved: false };
	}

	/** Somebody else adds a line, or takes one away. */
	somebodyChanges(): void {
		const path = this.decisions.pick(['/w/a.txt', '/w/b.txt']);
		const lines = linesOf(this.texts.get(path) ?? '');
		const at = this.decisions.below(lines.length + 1);
		if (this.decisions.below(3) === 2) lines.splice(at, 1);
		else lines.splice(at, 0, this.line('s'));
		this.put(path, lines);
		this.rules.note(`  somebody changes ${path}: ${lines.join(' ')}`);
	}

	/** Somebody else works where an edit is proposed: a line of it goes, or comes. */
	private somebodyTouches(path: string, { oldText = '', newText }: ProposedEdit): void {
		const left = new Set(linesOf(newText));
		const lines = linesOf(this.texts.get(path) ?? '');
		const at = lines.findIndex((line) => !left.has(line));
		if (at < 0 || oldText === '') return;
		lines.splice(at, this.decisions.below(2), ...(this.decisions.below(2) === 0 ? [this.line('s')] : []));
		this.put(path, lines);
		this.rules.note(`    meanwhile ${path} is ${lines.join(' ')}`);
	}

	/** Input of an edit of one or two lines that stand in a file now; sometimes of one that nobody wrote. */
	askEdit(nonce: string): Readonly<Record<string, unknown>> {
		const { decisions } = this;
		const path = this.nextPath();
		const lines = this.linesNow(path);
		const at = decisions.below(Math.max(1, lines.length));
		const old = decisions.oneIn(10) ? ['nobody wrote this'] : lines.slice(at, at + 1 + decisions.below(2));
		const adds = Array.from({ length: 1 + decisions.below(2) }, (_, index) => `${nonce}.${index}`);
		const kept = decisions.below(3) === 2 ? old.slice(0, 1) : [];
		this.planned.set(path, lines.toSpliced(at, old.length, ...kept, ...adds));
		const input = { file_path: path, old_string: old.join('\n'), new_string: [...kept, ...adds].join('\n') };
		return this.ask({ nonce, removes: old.filter((line) => !kept.includes(line)), adds }, input);
	}

	/** As the model sees it, which builds on its own edits. */
	private linesNow(path: string): readonly string[] {
		return this.planned.get(path) ?? linesOf(this.texts.get(`/w/${path}`) ?? '');
	}

	/** Often the one of the call before: proposals stand on one another. */
	private nextPath(): string {
		if (this.decisions.below(2) === 0) this.lastPath = this.decisions.pick(['a.txt', 'b.txt']);
		return this.lastPath;
	}

	/** Input of a whole file: a new one, or one whose lines are changed here and there. */
	askWrite(nonce: string): Readonly<Record<string, unknown>> {
		const { decisions } = this;
		const isNew = decisions.below(4) === 3;
		const path = isNew ? `${nonce}.txt` : this.nextPath();
		const adds: string[] = [];
		// Far apart, the changes are several hunks, of which the person may take some.
		const kinds = decisions.pick([12, 6]);
		const lines = this.linesNow(path).flatMap((line) => {
			const how = decisions.below(kinds) - (kinds - 2);
			if (how < 0) return [line];
			adds.push(`${nonce}.${adds.length}`);
			return how === 0 ? adds.slice(-1) : [line, ...adds.slice(-1)];
		});
		if (adds.length === 0) {
			adds.push(`${nonce}.0`);
			lines.push(`${nonce}.0`);
		}
		this.planned.set(path, lines);
		return this.ask({ nonce, removes: undefined, adds }, { file_path: path, content: `${lines.join('\n')}\n` });
	}

	/** The person's word on a proposal: as it is, hunk by hunk, or in their own words. Undefined: all of it. */
	decide(
		id: string,
		detail: RequestDetail,
		{ proposed, whole }: { readonly proposed: ProposedEdit; readonly whole: boolean },
	): EditOutcome | undefined {
		const call = this.calls.get(id);
		if (detail.kind !== 'edit' || !call) return undefined;
		if (this.decisions.below(4) === 3) this.somebodyTouches(detail.path, proposed);
		if (call.proposed) this.rules.count('proposal asked anew');
		call.proposed = proposed;
		call.denied = new Set();
		delete call.taken;
		delete call.own;
		if (whole) this.trusting = true;
		const how = whole
			? 'all'
			: this.decisions.weighted([
					[3, 'all'],
					[3, 'some'],
					[2, 'rewritten'],
				]);
		if (how === 'all') return undefined;
		const hunks = detail.hunks.map((): HunkOutcome => ({
			kind: this.decisions.below(2) === 0 ? 'accepted' : 'denied',
		}));
		const denied = detail.hunks.filter((_, index) => hunks[index]?.kind === 'denied');
		const added = denied.flatMap(({ lines }) => lines.filter((line) => line.startsWith('+')));
		call.denied = new Set(added.map((line) => line.slice(1)));
		this.rules.note(`    of ${call.nonce} denied: ${[...call.denied].join(' ') || 'nothing'}`);
		this.rules.count(`proposal taken: ${how}`);
		if (how === 'some' || denied.length === detail.hunks.length) return { hunks };
		const rewritten = linesOf(acceptedText(proposed, hunks));
		call.own = this.line('p');
		rewritten.splice(this.decisions.below(rewritten.length + 1), 0, call.own);
		call.taken = rewritten;
		return { hunks, text: `${rewritten.join('\n')}\n` };
	}

	/** Contract of the port: nothing is written where the text is not the expected one. */
	change({ path, expected, edits }: FileChange): ChangeOutcome {
		const now = this.texts.get(path);
		if ((now ?? '') !== (expected ?? '')) {
			this.rules.count('change refused: the file has changed');
			return { kind: 'changed', current: this.read(path) };
		}
		if (this.decisions.oneIn(12)) return { kind: 'failed', message: 'the disk is full' };
		const text = applied(now ?? '', edits);
		this.judge(now ?? '', text);
		this.texts.set(path, text);
		this.version++;
		this.rules.note(`  ${path} is now ${linesOf(text).join(' ')}`);
		return { kind: 'applied', text, saved: true };
	}

	/** A call stands in the transcript. */
	called(id: string, input: unknown): void {
		const call = this.asked.get(JSON.stringify(input));
		if (call) this.calls.set(id, call);
		else this.calls.delete(id);
	}

	started(id: string): void {
		if (this.calls.has(id)) this.active.add(id);
	}

	/** A result is written down: it must say what happened. */
	told(id: string, state: FinishedToolState, text: string): void {
		const call = this.calls.get(id);
		if (!call) return;
		// A call that was stopped may have been given up in the middle.
		if (state !== 'stopped') this.active.delete(id);
		if (state === 'error')
			this.rules.count(
				`edit refused: ${/kept changing|same lines|not been read|changed since|not found|could not be/.exec(text)?.[0] ?? 'other'}`,
			);
		const isDone = state === 'done' && !text.includes('already has exactly this content');
		if (isDone && call.applied === 0) this.rules.fail(`2: the edit ${call.nonce} is told as done, and was not`);
		if ((state === 'error' || state === 'denied') && call.applied > 0)
			this.rules.fail(`2: the edit ${call.nonce} is told as ${state}, and was done`);
	}

	/** The process is gone, and with it what the person had said of proposals. */
	restart(): void {
		this.active.clear();
		this.forget();
	}

	/** An exchange broke off: what the person had said of calls that had not started is asked anew. */
	forget(): void {
		const started = new Set([...this.active].map((id) => this.calls.get(id)));
		for (const call of this.asked.values()) {
			if (started.has(call)) continue;
			call.denied = new Set();
			delete call.proposed;
			delete call.taken;
			delete call.own;
		}
	}

	private ask(call: Pick<Asked, 'nonce' | 'removes' | 'adds'>, input: Readonly<Record<string, unknown>>) {
		this.asked.set(JSON.stringify(input), { ...call, denied: new Set(), applied: 0 });
		return input;
	}

	private judge(before: string, after: string): void {
		const [old, now] = [new Set(linesOf(before)), new Set(linesOf(after))];
		const added = [...now].filter((line) => !old.has(line));
		const removed = [...old].filter((line) => !now.has(line));
		const active = [...this.active].flatMap((id) => this.calls.get(id) ?? []);
		const call = active.findLast(({ nonce }) => added.some((line) => isOf(line, nonce))) ?? active.at(-1);
		if (!call) return this.rules.fail(`2: ${added.join(' ')} is written, and no edit has started`);
		const { nonce, denied, taken, own, adds, proposed } = call;
		this.rules.count(proposed && proposed.oldText !== before ? 'edit rebased' : 'edit made');
		if (++call.applied > 1) this.rules.fail(`2: the edit ${nonce} was made twice`);
		const refused = added.find((line) => denied.has(line));
		if (refused !== undefined) this.rules.fail(`${refused} was denied, and is in the file`);
		const due = taken ?? adds.filter((line) => !denied.has(line));
		const missing = due.find((line) => !now.has(line) && (isOf(line, nonce) || line === own));
		if (missing !== undefined) this.rules.fail(`${missing} was accepted, and is not in the file`);
		const shown = proposed && !this.trusting ? linesOf(proposed.oldText ?? '') : undefined;
		const mayGo = call.removes ?? shown;
		const lost = removed.find((line) => mayGo !== undefined && taken === undefined && !mayGo.includes(line));
		if (lost !== undefined) this.rules.fail(`the edit ${nonce} took ${lost} away, which it did not know`);
	}

	private put(path: string, lines: readonly string[]): void {
		this.texts.set(path, lines.length === 0 ? '' : `${lines.join('\n')}\n`);
		this.version++;
	}

	private line(writer: string): string {
		return `${writer}${++this.lines}`;
	}
}

function isOf(line: string, nonce: string): boolean {
	return line.startsWith(`${nonce}.`);
}

function linesOf(text: string): string[] {
	return text.split('\n').filter((line) => line !== '');
}

function applied(text: string, edits: readonly TextEdit[]): string {
	return edits
		.toReversed()
		.reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text);
}
