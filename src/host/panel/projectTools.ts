// Tool calls as rows: queued, running with live output, done. Pure.
import type { ToolLabel } from '../../core/loop/toolBatch.ts';
import { declinedWithoutReason, reasonOfDecline } from '../../core/messages/declined.ts';
import type { ToolResultBlock } from '../../core/messages/types.ts';
import type { ToolEvent } from '../../core/tools/toolEvents.ts';
import type { ViewEvent } from '../../shared/protocol.ts';
import type { Row, ToolView } from '../../shared/view.ts';
import type { Projection, ViewSource } from './projection.ts';
import { added, opened, same } from './projection.ts';

type ToolRow = Extract<Row, { kind: 'tool' }>;

/** Characters of live output that a card keeps, and at which it is cut back to that. */
export const outputKept = 100_000;
const outputMost = 150_000;
/** Characters of an error or denial that a card shows. */
const messageMost = 4_000;

export function toolEvent(view: ViewSource, event: ToolEvent, now: number): Projection {
	const id = event.toolUseId;
	switch (event.type) {
		case 'tool_queued': {
			const row = toolRow(view, id) ?? emptyTool(id, event.tool);
			return opened(view, { ...row, summary: event.summary, state: 'queued' }, view.projected);
		}
		case 'tool_start':
			return same(view, toolChange(view, id, { state: 'running', startedAt: now, ...renamed(event.summary) }));
		case 'tool_progress': {
			const row = toolRow(view, id);
			if (!row) return same(view, []);
			if (event.update.kind === 'view') return same(view, toolChange(view, id, { view: event.update.view }));
			return same(view, [output(row, event.update.text)]);
		}
		case 'tool_end': {
			const row = toolRow(view, id) ?? emptyTool(id, event.tool);
			const failed = event.state !== 'done';
			const done: ToolRow = {
				...row,
				state: event.state,
				view: event.view.kind === 'none' && row.view.kind === 'command' ? row.view : event.view,
				durationMs: event.durationMs,
				...(failed ? { message: resultText(event.result) } : {}),
			};
			const state = { ...view.projected, open: view.projected.open.filter((open) => open !== id) };
			return { events: [toolRow(view, id) ? { type: 'row_updated', row: done } : added(done)], state };
		}
	}
}

/** A call that the person changed is shown as what runs. */
function renamed(summary: string | undefined): Partial<ToolRow> {
	return summary === undefined ? {} : { summary };
}

/** Live output: appended; cut back to the newest part when it has grown too long. */
function output(row: ToolRow, text: string): ViewEvent {
	const view = row.view.kind === 'command' ? row.view : undefined;
	if (view && view.output.length + text.length <= outputMost) {
		return { type: 'text_appended', rowId: row.id, text };
	}
	const whole = (view?.output ?? '') + text;
	const kept = whole.length > outputMost ? whole.slice(-outputKept) : whole;
	const next: ToolView = {
		kind: 'command',
		command: view?.command ?? row.summary,
		output: kept,
		omitted: (view?.omitted ?? 0) + whole.length - kept.length,
		outcome: 'running',
		durationMs: 0,
	};
	return { type: 'row_updated', row: { ...row, view: next } };
}

export function emptyTool(id: string, tool: string): ToolRow {
	return { kind: 'tool', id, toolUseId: id, tool, summary: '', state: 'queued', view: { kind: 'none' } };
}

function toolRow(view: ViewSource, id: string): ToolRow | undefined {
	const row = view.row(id);
	return row?.kind === 'tool' ? row : undefined;
}

export function toolChange(view: ViewSource, id: string, change: Partial<ToolRow>): readonly ViewEvent[] {
	const row = toolRow(view, id);
	return row ? [{ type: 'row_updated', row: { ...row, ...change } }] : [];
}

/** The label stands above the first call of the batch that is shown. */
export function toolsLabelled(view: ViewSource, { toolUseIds, label }: ToolLabel): readonly ViewEvent[] {
	const first = toolUseIds.find((id) => toolRow(view, id));
	return first === undefined ? [] : toolChange(view, first, { batchLabel: label });
}

/** Of a call that the person declined only what they said: the card itself says that it was denied. */
function resultText(result: ToolResultBlock): string {
	const whole = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
	const text = reasonOfDecline(result) ?? (whole === declinedWithoutReason ? '' : whole);
	return text.length > messageMost ? `${text.slice(0, messageMost)}…` : text;
}
