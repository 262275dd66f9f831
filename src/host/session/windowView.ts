// The view of a conversation, kept current and told to the panel, with the rows that only this window has: notices and
// failures of its own. No `vscode`.
import type { CompactionProblem, CompactionResult } from '../../core/context/contextTypes.ts';
import type { NoticeCode, ErrorView, Row, ViewState } from '../../shared/view.ts';
import { versionsByPrompt } from '../../core/messages/activeEntries.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { UserMessage } from '../../core/messages/types.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import { compactionError, internalError } from '../errorView.ts';
import type { AgentEvent } from '../panel/projection.ts';
import { exchangeEnd } from '../panel/projectRecovery.ts';
import { OlderRows } from '../panel/olderRows.ts';
import { showTranscript } from '../panel/transcriptRows.ts';
import { ViewModel } from '../panel/viewModel.ts';
import type { ControllerDeps } from './controllerDeps.ts';
import { initialState, type WindowFacts } from './initialState.ts';
import type { ShownEntries } from './shownEntries.ts';
import { changedFields } from './stateChanges.ts';

export type WindowViewDeps = WindowFacts & Pick<ControllerDeps, 'now' | 'publish' | 'failed' | 'viewReplaced'>;

export class WindowView {
	private current: ViewModel;
	private shown: ShownEntries | undefined;
	/** Resolves when a conversation is shown for the first time. */
	readonly presentable: Promise<void>;
	private present: () => void = () => {};
	/** What is stored of it, until something new is said: that may be another version of what a rewind took back. */
	private stored: readonly StoredEntry[] = [];
	private readonly deps: WindowViewDeps;
	/** Makes ids of rows that only this window has. */
	private ownRows = 0;

	constructor(deps: WindowViewDeps) {
		this.deps = deps;
		this.current = new ViewModel(initialState(deps));
		this.presentable = new Promise((resolve) => (this.present = resolve));
	}

	/** Of the conversation that is open. */
	get model(): ViewModel {
		return this.current;
	}

	/** Another conversation in the place of this one; what is shown already stays as it is, and only what it says of itself changes. */
	show(shown: ShownEntries, state: Partial<ViewState>): void {
		if (this.shown === shown) return this.change(state);
		const { entries, older } = shown;
		const model = new ViewModel({ ...initialState(this.deps), ...state });
		const folder = this.deps.folder();
		showTranscript(model, entries, folder);
		for (const event of versionEvents(model, entries)) model.apply(event);
		const failed = (error: unknown) => this.deps.failed('reading what was said before', error);
		if (older) model.older = new OlderRows(model, { entries: older, folder, failed });
		// What the transcript says of itself is older than what the conversation does.
		model.apply({ type: 'state_changed', state });
		this.shown = shown;
		this.current = model;
		this.stored = entries;
		this.deps.viewReplaced();
		this.present();
	}

	accept(event: AgentEvent): void {
		this.deps.publish(this.model.accept(event, this.deps.now()));
		if (event.type === 'prompt_taken') this.placeVersions(event.message);
	}

	/** Tells the fields that differ, if any do. */
	change(next: Partial<ViewState>): void {
		const state = changedFields(this.model.state, next);
		if (state) this.apply({ type: 'state_changed', state });
	}

	/** Nothing grows or runs any more, although no end was told. */
	closeRows(): void {
		const end = exchangeEnd(this.model, '', { stored: false, now: this.deps.now() });
		this.deps.publish(this.model.take(end));
	}

	/** Gives a compaction that left no summary its row. `before`, `after`: tokens. */
	addCompacted(before: number, after: number): void {
		this.addRow({ kind: 'compacted', id: this.ownRowId('compacted'), before, after, summary: '' });
	}

	addNotice(code: NoticeCode, args: Readonly<Record<string, string>> = {}): void {
		this.addRow({ kind: 'notice', id: this.ownRowId(code), code, args });
	}

	/** Why nothing was compacted. */
	addNotCompacted({ problem, failure }: Extract<CompactionResult, { kind: 'not_compacted' }>): void {
		this.addNotice(compactionNotices[problem]);
		if (failure && problem !== 'stopped') this.addError(compactionError(failure));
	}

	addError(error: ErrorView): void {
		this.addRow({ kind: 'error', id: this.ownRowId('error'), error });
	}

	/** Something of ours failed: the panel says so, the log says what. */
	reportInternal(what: string, error: unknown): void {
		this.deps.failed(what, error);
		this.addError(internalError());
	}

	removeErrors(): void {
		const errors = this.model.all.filter((row) => row.kind === 'error');
		this.apply({ type: 'rows_removed', rowIds: errors.map(({ id }) => id) });
	}

	private placeVersions(message: UserMessage): void {
		const entries = this.stored;
		this.stored = [];
		if (!entries.some(({ type }) => type === 'rewound')) return;
		const time = this.deps.now();
		for (const event of versionEvents(this.model, [...entries, { type: 'user', message, time }])) this.apply(event);
	}

	private ownRowId(what: string): string {
		return `own:${what}:${++this.ownRows}`;
	}

	private addRow(row: Row): void {
		this.apply({ type: 'row_added', row });
	}

	private apply(event: ViewEvent): void {
		this.model.apply(event);
		this.deps.publish([event]);
	}
}

const compactionNotices: Readonly<Record<CompactionProblem, NoticeCode>> = {
	summary_failed: 'compact_failed',
	paused_after_failures: 'compact_failed',
	no_growth: 'compact_no_growth',
	nothing_to_compact: 'compact_nothing',
	stopped: 'compact_stopped',
};

/** Gives messages that have versions theirs. */
function versionEvents(model: ViewModel, entries: readonly StoredEntry[]): readonly ViewEvent[] {
	return [...versionsByPrompt(entries)].flatMap(([id, versions]) => {
		const row = model.row(id);
		return row?.kind === 'prompt' ? [{ type: 'row_updated', row: { ...row, versions } } as const] : [];
	});
}
