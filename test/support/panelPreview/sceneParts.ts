// What the scenes are made of: the state they start from, and their rows.
import { bareState } from '../viewState.ts';
import type { ErrorView, Row, ToolState, ToolView, ViewState } from '../../../src/shared/view.ts';

export interface Scene {
	readonly state: ViewState;
	readonly rows: readonly Row[];
	readonly earlier: number;
}

export const base: ViewState = {
	...bareState,
	modes: ['default', 'acceptEdits', 'plan', 'dontAsk'],
	models: [
		{ id: 'claude-opus-5', name: 'Claude Opus 5' },
		{ id: 'claude-sonnet-5', name: 'Claude Sonnet 5' },
		{ id: 'claude-haiku-5', name: 'Claude Haiku 5' },
	],
	folder: 'sample',
};

export const prompt = (id: string, text: string): Row => ({ kind: 'prompt', id, text, time: 1_750_000_000_000 });
export const text = (id: string, content: string, open = false): Row => ({ kind: 'text', id, text: content, open });
export interface ToolParts {
	readonly tool: string;
	readonly summary: string;
	readonly view: ToolView;
	readonly state?: ToolState;
	readonly message?: string;
	readonly batchLabel?: string;
	readonly durationMs?: number;
}
export const tool = (id: string, parts: ToolParts): Row => ({
	kind: 'tool',
	id,
	toolUseId: id,
	state: 'done',
	...parts,
});

export const error = (code: string, args: ErrorView['args'], detail: string, actions: ErrorView['actions']): Row => ({
	kind: 'error',
	id: `e-${code}`,
	error: { code, args, detail, actions },
});
