// The view of the window's conversation, kept current and told to the panel, with the rows that only this window has: notices and
// failures of its own. No `vscode`.
import type { NoticeCode, ErrorView, Row, ViewState } from '../../shared/view.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import { internalError } from '../errorView.ts';
import type { AgentEvent } from '../panel/projection.ts';
import { exchangeEnd } from '../panel/projectRecovery.ts';
import type { ViewModel } from '../panel/viewModel.ts';
import type { ControllerDeps } from './controllerDeps.ts';
import { changedFields } from './stateChanges.ts';

export type WindowViewDeps = Pick<ControllerDeps, 'now' | 'publish' | 'failed'>;

export class WindowView {
	/** Of the conversation that is open; another one for each. */
	model: ViewModel;
	private readonly deps: WindowViewDeps;
	/** Makes ids of rows that only this window has. */
	private ownRows = 0;

	constructor(deps: WindowViewDeps, model: ViewModel) {
		this.deps = deps;
		this.model = model;
	}

	accept(event: AgentEvent): void {
		this.deps.publish(this.model.accept(event, this.deps.now()));
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

	addNotice(code: NoticeCode): void {
		this.addRow({ kind: 'notice', id: this.ownRowId(code), code, args: {} });
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
