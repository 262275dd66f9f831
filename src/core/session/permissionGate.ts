// Between a tool call and its run: asks the permission engine, and the person where that says so. Keeps the rules of the
// session; a new rule or mode answers the requests that it covers.
import type { PermissionAnswer, PermissionMode, PermissionRequest, RuleCheck } from '../../shared/permission.ts';
import type { Verdict } from '../permissions/engine.ts';
import { judge, readFilter } from '../permissions/engine.ts';
import { declinedText } from '../messages/declined.ts';
import type { JsonObject } from '../messages/types.ts';
import type { SourcedRule } from '../permissions/rule.ts';
import { rulesFrom } from '../permissions/rule.ts';
import type { Journal } from '../messages/journal.ts';
import type { Decision, PermissionQuestion } from '../tools/runToolUse.ts';
import type { EngineOptions, SessionEvent } from './options.ts';
import type { PermissionInquiry, SupposedCall } from './permissionInquiry.ts';
import { checkRule } from './permissionInquiry.ts';

export interface GateOptions {
	readonly options: EngineOptions;
	readonly journal: Journal;
	readonly mode: () => PermissionMode;
	/** Request ids from a resumed transcript, by tool use id. */
	readonly requestIds: ReadonlyMap<string, string>;
	readonly emit: (event: SessionEvent) => void;
}

interface Open {
	readonly id: string;
	readonly question: PermissionQuestion;
	/** Takes the request back because a new rule or mode decides it. */
	readonly withdraw: AbortController;
	decided?: Decision;
}

export class PermissionGate implements PermissionInquiry {
	/** Calls that were not allowed, in order. */
	readonly denials: { readonly tool: string; readonly toolUseId: string; readonly input: unknown }[] = [];
	private readonly gate: GateOptions;
	private added: readonly SourcedRule[] = [];
	private readonly open = new Set<Open>();

	constructor(gate: GateOptions) {
		this.gate = gate;
	}

	/** Allows what a rule (as written) covers, for this session. */
	allow(rule: string): void {
		if (this.added.some(({ text }) => text === rule)) return;
		this.added = [...this.added, ...rulesFrom({ source: 'session' }, [rule])];
	}

	get sessionRules(): readonly string[] {
		return this.added.map(({ text }) => text);
	}

	forget(rule: string): void {
		this.added = this.added.filter(({ text }) => text !== rule);
	}

	test(call: SupposedCall): Promise<Verdict> {
		return this.judge(call);
	}

	async checkRule(requestId: string, rule: string): Promise<RuleCheck | undefined> {
		const open = [...this.open].find(({ id }) => id === requestId);
		if (!open) return undefined;
		return checkRule(rule, (rules) => this.judge(calledBy(open.question), rules));
	}

	/** False where a deny rule keeps a file out of searches and listings. */
	mayRead(path: string): boolean {
		const { options } = this.gate;
		return readFilter(options.settings(), options.ports.workspace.roots, options.home)(path);
	}

	/** Decides one call. Contract: resolves also when the signal aborts. */
	async decide(question: PermissionQuestion, signal: AbortSignal): Promise<Decision> {
		const verdict = await this.judge(calledBy(question));
		const decision = await this.decisionOn(verdict, question, signal);
		if (decision.behavior === 'deny' && !decision.stopped) {
			const { name, id, input } = question.toolUse;
			this.denials.push({ tool: name, toolUseId: id, input });
		}
		return decision;
	}

	private decisionOn(
		verdict: Verdict,
		question: PermissionQuestion,
		signal: AbortSignal,
	): Decision | Promise<Decision> {
		if (verdict.verdict !== 'ask') return this.settled(verdict);
		return question.answered ? { behavior: 'allow' } : this.ask(question, verdict, signal);
	}

	/** After a change of rules or mode: requests that are decided now need no answer any more. */
	async judgeAgain(): Promise<void> {
		for (const open of this.open) {
			const verdict = await this.judge(calledBy(open.question));
			if (verdict.verdict === 'ask') continue;
			open.decided = this.settled(verdict);
			open.withdraw.abort();
		}
	}

	private async judge({ tool, need }: SupposedCall, extra: readonly SourcedRule[] = []): Promise<Verdict> {
		const { options, mode } = this.gate;
		await options.freshSettings?.();
		const { allow, ask, deny } = options.settings();
		const { workspace } = options.ports;
		return judge({
			tool,
			need,
			mode: mode(),
			rules: { allow: [...allow, ...this.added, ...extra], ask, deny },
			roots: workspace.roots,
			interactive: options.interactive,
			shell: options.ports.shell.name,
			...(options.home === undefined ? {} : { home: options.home }),
			realPath: (path) => workspace.realPath(path),
		});
	}

	private settled(verdict: Exclude<Verdict, { verdict: 'ask' }>): Decision {
		return verdict.verdict === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.message };
	}

	private async ask(
		question: PermissionQuestion,
		verdict: Extract<Verdict, { verdict: 'ask' }>,
		signal: AbortSignal,
	): Promise<Decision> {
		const { options, journal, requestIds, emit } = this.gate;
		const { toolUse, summary, need } = question;
		const id = requestIds.get(toolUse.id) ?? options.ports.uuid();
		const request: PermissionRequest = {
			id,
			toolUseId: toolUse.id,
			tool: toolUse.name,
			summary,
			detail: need.detail,
			reason: verdict.reason,
			...(verdict.suggestedRule === undefined ? {} : { suggestedRule: verdict.suggestedRule }),
		};
		const open: Open = { id, question, withdraw: new AbortController() };
		this.open.add(open);
		try {
			if (!requestIds.has(toolUse.id))
				await journal.append({ type: 'permission', requestId: id, toolUseId: toolUse.id });
			emit({ type: 'permission_requested', request });
			const until = AbortSignal.any([signal, open.withdraw.signal]);
			const answer = await options.ports.interaction.requestPermission(request, until);
			const decision = open.decided ?? (await this.decisionOf(answer, question));
			emit({
				type: 'permission_resolved',
				requestId: id,
				toolUseId: toolUse.id,
				allowed: decision.behavior === 'allow',
			});
			return decision;
		} finally {
			this.open.delete(open);
		}
	}

	private async decisionOf(answer: PermissionAnswer, { need }: PermissionQuestion): Promise<Decision> {
		if (answer.behavior === 'allow') {
			if (answer.rule) {
				this.allow(answer.rule.text);
				await this.judgeAgain();
			}
			const { input, mode } = answer;
			return {
				behavior: 'allow',
				...(input === undefined ? {} : { input: input as JsonObject }),
				...(mode === undefined ? {} : { mode }),
			};
		}
		if (answer.stopped) return { behavior: 'deny', message: 'Interrupted by user.', stopped: true };
		const reason = answer.reason?.trim();
		const advice = need.access.kind === 'person' ? need.access.declined : undefined;
		return { behavior: 'deny', message: reason ? declinedText(reason, advice) : (advice ?? declinedWithoutReason) };
	}
}

const declinedWithoutReason =
	'The user declined this call. Nothing was changed. Do not try it another way; ask if you need to.';

function calledBy({ toolUse, need }: PermissionQuestion): SupposedCall {
	return { tool: toolUse.name, need };
}
