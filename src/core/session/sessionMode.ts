// The session's permission mode: how it changes, the way back out of plan mode, what the model was told of it, and the plan.
// Contract: nothing but the person's own choice leads into a mode that does not ask at all.
import type { PermissionMode } from '../../shared/permission.ts';
import type { LoopEvent } from '../loop/events.ts';
import type { StoredEntry } from '../messages/journal.ts';
import type { AssistantBlock, Message, UserMessage } from '../messages/types.ts';
import { toolUses } from '../messages/types.ts';
import type { PlanMode } from '../tools/planMode.ts';
import { modeAfterPlan, planModeOff, planModeOn } from '../tools/planMode.ts';

export interface SessionModeOptions {
	readonly mode: PermissionMode;
	/** The transcript so far: it knows the mode before plan mode, and the plan. */
	readonly entries: readonly StoredEntry[];
	readonly messages: readonly Message[];
	/** After each change. */
	readonly changed: (mode: PermissionMode) => Promise<void>;
}

export class SessionMode implements PlanMode {
	current: PermissionMode;
	/** The last plan that was presented, as approved if it was. */
	private plan: string | undefined;
	private before: PermissionMode = 'default';
	/** What the model knows: that plan mode is on, or not. */
	private told: boolean;
	private readonly options: SessionModeOptions;

	constructor(options: SessionModeOptions) {
		this.options = options;
		this.current = options.mode;
		this.told = toldOf(options.messages);
		for (const entry of options.entries) {
			if (entry.type === 'mode' && entry.mode !== 'plan') this.before = wayBack(entry.mode);
			if (entry.type === 'block') this.plan = planOf(entry.block) ?? this.plan;
			if (entry.type === 'tool_result' && entry.view.kind === 'plan') this.plan = entry.view.plan;
		}
	}

	get on(): boolean {
		return this.current === 'plan';
	}

	async set(mode: PermissionMode): Promise<void> {
		const was = this.current;
		if (mode === was) return;
		if (mode === 'plan') this.before = wayBack(was);
		this.current = mode;
		try {
			await this.options.changed(mode);
		} catch (error) {
			// What could not be written down does not hold.
			if (this.current === mode) this.current = was;
			throw error;
		}
	}

	/** The mode that the person chose with an answer to a request. */
	async goOnIn(mode: PermissionMode): Promise<void> {
		if (mode !== 'bypassPermissions') await this.set(mode);
	}

	async enter(): Promise<void> {
		this.told = true;
		await this.set('plan');
	}

	async leave(): Promise<PermissionMode> {
		this.told = false;
		if (this.on) await this.set(this.before);
		return this.current;
	}

	/**
	 * A note for the model when plan mode began or ended since it was told; each once. `sent`: what it has before it now, where
	 * something may have been left out.
	 */
	note(sent?: readonly Message[]): string | undefined {
		if (sent) this.told = toldOf(sent);
		if (this.told === this.on) return undefined;
		this.told = this.on;
		return this.on ? planModeOn : `${planModeOff}: ${modeAfterPlan(this.current)}`;
	}

	/** What survives a compaction. */
	get reattached(): { readonly mode: PermissionMode; readonly plan?: string } {
		return this.plan === undefined ? { mode: this.current } : { mode: this.current, plan: this.plan };
	}

	follow(event: LoopEvent): void {
		if (event.type === 'block_end' && event.block) this.plan = planOf(event.block) ?? this.plan;
		if (event.type === 'tool_end' && event.view.kind === 'plan') this.plan = event.view.plan;
	}
}

/** A plan never leads back into a mode that does not ask at all. */
function wayBack(mode: PermissionMode): PermissionMode {
	return mode === 'acceptEdits' || mode === 'dontAsk' ? mode : 'default';
}

function planOf(block: AssistantBlock): string | undefined {
	if (block.type !== 'tool_use' || block.name !== 'ExitPlanMode') return undefined;
	const { plan } = block.input;
	return typeof plan === 'string' && plan.trim() !== '' ? plan : undefined;
}

/** True when the last word on it is that plan mode is on: in a note, a summary, or the result of a call. */
function toldOf(messages: readonly Message[]): boolean {
	const worked = new Set<string>();
	for (const message of messages.toReversed()) {
		if (message.role === 'user') {
			const word = lastWord(message);
			if (word !== undefined) return word;
			for (const block of message.content) {
				if (block.type === 'tool_result' && !block.is_error) worked.add(block.tool_use_id);
			}
			continue;
		}
		const calls = toolUses(message).filter(({ id }) => worked.has(id));
		const call = calls.findLast(({ name }) => name === 'EnterPlanMode' || name === 'ExitPlanMode');
		if (call) return call.name === 'EnterPlanMode';
	}
	return false;
}

function lastWord({ origin, content }: UserMessage): boolean | undefined {
	if (origin !== 'hidden') return undefined;
	const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
	const words = [...text.matchAll(/^(?:Plan mode is (on|off)\b|Permission mode: (\w+))/gm)];
	const last = words.at(-1);
	return last && (last[1] === 'on' || last[2] === 'plan');
}
