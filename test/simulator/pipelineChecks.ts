// What must hold for every change of what is sent (invariant 7, and loop.md 5), judged from the transcript alone: decisions are
// sticky, only whole turns go, nothing goes twice, and a compaction keeps mode and todo list. Also counts what was reached.
import type { Entry } from '../../src/core/messages/journal.ts';
import type { ProjectionChange } from '../../src/core/messages/projection.ts';
import { clearedResultText } from '../../src/core/messages/projection.ts';
import type { PermissionMode } from '../../src/shared/permission.ts';
import type { Todo } from '../../src/shared/view.ts';

type Kind = 'prompt' | 'note' | 'answer' | 'results' | 'gone';
interface Place {
	readonly id: string;
	kind: Kind;
}
type Change<K extends ProjectionChange['kind']> = Extract<ProjectionChange, { kind: K }>;

const modeWords: Readonly<Record<PermissionMode, string>> = {
	default: 'Permission mode: ask.',
	acceptEdits: 'Permission mode: accept edits.',
	plan: 'Permission mode: plan.',
	dontAsk: 'Permission mode: do not ask.',
	bypassPermissions: 'Permission mode: bypass.',
};

export class PipelineChecks {
	/** How often each stage, each kind of change and each end was reached. */
	readonly reached = new Map<string, number>();
	/** A compaction runs: it alone may shorten what was judged before. */
	compacting = false;
	private readonly fail: (message: string) => void;
	private readonly places: Place[] = [];
	private readonly at = new Map<string, number>();
	/** By message id: the ids of an answer's calls. */
	private readonly calls = new Map<string, string[]>();
	private readonly kept = new Set<string>();
	private readonly stored = new Map<string, string>();
	private readonly cleared = new Set<string>();
	private readonly snipped = new Set<string>();
	private segments: readonly { readonly from: number; readonly to: number }[] = [];
	/** Where what is sent begins. */
	private start = 0;
	private modes: PermissionMode[] = ['default'];
	private todos: readonly Todo[] = [];

	constructor(fail: (message: string) => void) {
		this.fail = fail;
	}

	count(what: string): void {
		this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
	}

	/** Another process: the mode that asks nothing does not outlive its own. */
	restart(): void {
		if (this.modes.at(-1) === 'bypassPermissions') this.modes.push('default');
	}

	/** An entry of the transcript. */
	see(entry: Entry): void {
		switch (entry.type) {
			case 'user':
				this.add(entry.message.id, entry.message.origin === 'prompt' ? 'prompt' : 'note');
				break;
			case 'block':
				if (!this.at.has(entry.messageId)) this.add(entry.messageId, 'answer');
				if (entry.block.type === 'tool_use') this.addCall(entry.messageId, entry.block.id);
				break;
			case 'tombstone':
				this.takeBack(entry.messageId);
				break;
			case 'request':
				this.compacting = false;
				this.modes = this.modes.slice(-1);
				break;
			case 'mode':
				this.modes.push(entry.mode);
				break;
			case 'tool_result':
				if (entry.view.kind === 'todos') this.todos = entry.view.todos;
				break;
			case 'projection':
				this.count(entry.change.kind);
				this.judge(entry.change);
				break;
			default:
		}
	}

	/** What must be sent for a result, of what was written down. */
	sentResult(id: string, written: string): string {
		return this.cleared.has(id) ? clearedResultText : (this.stored.get(id) ?? written);
	}

	/** The calls that must be sent, in order. */
	sentCalls(): readonly string[] {
		return this.places.flatMap(({ id, kind }, index) =>
			index < this.start || kind !== 'answer' || this.snipped.has(id) || this.inSegment(index)
				? []
				: (this.calls.get(id) ?? []),
		);
	}

	private add(id: string, kind: Kind): void {
		this.at.set(id, this.places.length);
		this.places.push({ id, kind });
	}

	private addCall(messageId: string, callId: string): void {
		const calls = this.calls.get(messageId);
		if (calls) calls.push(callId);
		else {
			this.calls.set(messageId, [callId]);
			this.add(`${messageId}-results`, 'results');
		}
	}

	private takeBack(messageId: string): void {
		for (const id of this.calls.get(messageId) ?? []) {
			this.kept.delete(id);
			this.stored.delete(id);
			this.cleared.delete(id);
		}
		this.calls.delete(messageId);
		for (const id of [messageId, `${messageId}-results`]) {
			const place = this.places[this.at.get(id) ?? -1];
			if (place) place.kind = 'gone';
			this.at.delete(id);
		}
	}

	private judge(change: ProjectionChange): void {
		switch (change.kind) {
			case 'results_stored':
				for (const { toolUseId, replacement } of change.results) this.judgeStored(toolUseId, replacement);
				break;
			case 'results_kept':
				for (const id of change.toolUseIds) {
					if (this.stored.has(id)) this.fail(`7: ${id} lies in a file, and is to be kept whole now`);
					this.kept.add(id);
				}
				break;
			case 'results_cleared':
				this.judgeCleared(change);
				break;
			case 'snipped':
				this.judgeSnipped(change);
				break;
			case 'collapsed':
				this.judgeCollapsed(change);
				break;
			case 'compacted':
				this.judgeCompacted(change);
				break;
			default:
		}
	}

	private judgeStored(id: string, replacement: string): void {
		if (this.kept.has(id) && !this.compacting) this.fail(`7: ${id} was kept whole, and lies in a file now`);
		if (this.stored.has(id)) this.fail(`7: ${id} is written to a file twice`);
		this.kept.delete(id);
		this.stored.set(id, replacement);
	}

	private judgeCleared({ toolUseIds }: Change<'results_cleared'>): void {
		const last = this.places.findLast(({ kind }) => kind === 'answer');
		const open = new Set(last ? this.calls.get(last.id) : []);
		for (const id of toolUseIds) {
			if (this.cleared.has(id)) this.fail(`7: ${id} is cleared twice`);
			if (open.has(id)) this.fail(`7: ${id} of the current turn is cleared`);
			this.cleared.add(id);
		}
	}

	private judgeSnipped({ messageIds }: Change<'snipped'>): void {
		const left = new Set(messageIds);
		for (const id of messageIds) {
			const index = this.at.get(id) ?? -1;
			const place = this.places[index];
			const answer = id.replace(/-results$/, '');
			if (!place || place.kind === 'prompt' || place.kind === 'note') this.fail(`7: ${id} is no turn, and is snipped`);
			if (this.snipped.has(id) || index < this.start || this.inSegment(index)) this.fail(`7: ${id} is snipped twice`);
			if (this.calls.has(answer) && (!left.has(answer) || !left.has(`${answer}-results`))) {
				this.fail(`7: half of the turn ${answer} is snipped`);
			}
		}
		for (const id of messageIds) this.snipped.add(id);
	}

	private judgeCollapsed({ from, to }: Change<'collapsed'>): void {
		const [first, last] = [this.at.get(from) ?? -1, this.at.get(to) ?? -1];
		const inside = this.places.slice(first, last + 1);
		if (first < 0 || last < first || inside[0]?.kind !== 'answer' || this.places[last + 1]?.kind === 'results') {
			this.fail(`7: ${from} to ${to} are no whole turns, and are collapsed`);
		}
		if (inside.some(({ kind }) => kind === 'prompt'))
			this.fail(`7: the person's words between ${from} and ${to} are collapsed`);
		if (first < this.start || this.segments.some((other) => first <= other.to && last >= other.from)) {
			this.fail(`7: ${from} is collapsed twice`);
		}
		this.segments = [...this.segments, { from: first, to: last }];
	}

	private judgeCompacted({ upTo, summary }: Change<'compacted'>): void {
		const index = this.at.get(upTo) ?? -1;
		if (index < this.start - 1) this.fail(`7: a compaction up to ${upTo}, which one before had summarised`);
		if (this.places[index + 1]?.kind === 'results')
			this.fail(`7: a compaction between the calls of ${upTo} and their results`);
		this.start = index + 1;
		const text = JSON.stringify(summary);
		if (!this.modes.some((mode) => text.includes(modeWords[mode])))
			this.fail(`7: a compaction lost the mode ${this.modes.at(-1)}`);
		const lost = this.todos.find(({ content }) => !text.includes(content));
		if (lost) this.fail(`7: a compaction lost the step "${lost.content}"`);
	}

	private inSegment(index: number): boolean {
		return this.segments.some(({ from, to }) => index >= from && index <= to);
	}
}
