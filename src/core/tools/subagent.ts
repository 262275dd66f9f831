// What the Agent tool asks of the session: run a loop of its own for one task. The session hands the function in with the tool
// context, so that no tool knows the loop.
import type { ToolView } from '../../shared/view.ts';
import type { AgentType } from './agentTypes.ts';

export type AgentView = Extract<ToolView, { kind: 'agent' }>;

export interface SubagentOrder {
	readonly type: AgentType;
	/** The whole task: the subagent sees nothing else of the conversation. */
	readonly prompt: string;
	/** Ends it; what it has done so far is told. */
	readonly signal: AbortSignal;
	/** Its card, at most a few times a second. */
	progress(view: AgentView): void;
}

/** How it ended. `answer`: its last words; blank where it said nothing. */
export interface SubagentReport {
	readonly answer: string;
	/** Why it did not come to its end, a sentence for the model; absent: it did. */
	readonly trouble?: string;
	readonly view: AgentView;
}

/** Contract: never rejects for what the service, the tools or the person do, and ends soon after the signal aborts. */
export type RunSubagent = (order: SubagentOrder) => Promise<SubagentReport>;
