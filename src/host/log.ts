// The log that `Show Log` opens. Contract: no secret is ever written to it, whoever hands in the text.
import * as vscode from 'vscode';
import type { AgentEvent } from './panel/projection.ts';
import { redacted } from './redaction.ts';

export interface Log {
	/** What went wrong, in a few words, and how. */
	readonly failed: (what: string, error: unknown) => void;
	info(message: string): void;
	event(event: AgentEvent): void;
	show(): void;
	dispose(): void;
}

export function createLog(): Log {
	const channel = vscode.window.createOutputChannel('Loopwright', { log: true });
	return {
		failed: (what, error) => channel.error(redacted(`${what}: ${textOf(error)}`)),
		info: (message) => channel.info(redacted(message)),
		event: (event) => {
			const line = eventLine(event);
			if (line === undefined) return;
			if (event.type === 'model_error') channel.warn(redacted(line));
			else channel.info(redacted(line));
		},
		show: () => channel.show(true),
		dispose: () => channel.dispose(),
	};
}

function textOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function contextLine({ reports, problem }: Extract<AgentEvent, { type: 'context_prepared' }>): string {
	const stages = reports.map(({ stage, before, after, items }) => `${stage} ${before} → ${after} tokens (${items})`);
	const failed = problem ? [`problem: ${problem.kind} ${problem.failure?.message ?? ''}`.trim()] : [];
	return `context: ${[...stages, ...failed].join(', ')}`;
}

/** One line without anything of the conversation's text; undefined for what would only fill the log. */
function eventLine(event: AgentEvent): string | undefined {
	switch (event.type) {
		case 'turn_start':
			return `turn ${event.turn}, ${event.model}`;
		case 'answer_end': {
			const { stopReason, usage, complete } = event.message;
			const cut = complete ? '' : ', cut';
			return `answer: ${stopReason ?? 'no stop reason'}${cut}, ${usage.outputTokens} tokens, ${event.durationMs} ms`;
		}
		case 'tool_end':
			return `${event.tool}: ${event.state}, ${event.durationMs} ms`;
		case 'model_error': {
			const { kind, message, status, requestId } = event.failure;
			return `model error: ${kind}${status === undefined ? '' : ` ${status}`} ${requestId ?? ''} ${message}`;
		}
		case 'retry_wait':
			return `retry ${event.attempt} of ${event.maxRetries} in ${event.delayMs} ms: ${event.failure.kind} ${event.failure.message}`;
		case 'model_fallback':
			return `fallback: ${event.from} → ${event.to}`;
		case 'answer_retracted':
			return 'the answer was taken back';
		case 'transition':
			return event.transition.reason === 'next_turn' ? undefined : `goes on: ${event.transition.reason}`;
		case 'context_prepared':
			return contextLine(event);
		case 'context_attached':
			return `attached: ${event.notes.length} notes`;
		case 'exchange_end':
			return `exchange ended: ${event.terminal.reason} after ${event.terminal.turnCount} turns`;
		case 'permission_requested':
			return `permission asked: ${event.request.tool}`;
		case 'permission_resolved':
			return `permission ${event.allowed ? 'given' : 'refused'}`;
		case 'background_failed':
			return `${event.work} in the background failed: ${event.message}`;
		default:
			return undefined;
	}
}
