// What `activate()` hands to other extensions and to tests.
import type { PermissionMode } from '../shared/permission.ts';
import type { Status } from '../shared/view.ts';
import type { AgentEvent } from './panel/projection.ts';

export interface LoopwrightApi {
	/** Of the extension. */
	readonly version: string;
	/** The engine's events, as they come. Gives back how to end the subscription. */
	onEvent(listener: (event: AgentEvent) => void): { dispose(): void };
	/** As if typed into the composer; resolves when the exchange, and all prompts that waited behind it, are done. */
	submit(prompt: string): Promise<void>;
	state(): ApiState;
}

export interface ApiState {
	readonly status: Status;
	/** Empty until the conversation was needed for the first time. */
	readonly sessionId: string;
	readonly mode: PermissionMode;
	readonly model: string;
	readonly requests: readonly { readonly id: string; readonly tool: string; readonly summary: string }[];
}
