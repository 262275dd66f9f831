// Between a tool call and its run: asks the permission engine, and the person where that says so. Keeps the rules of the
// session; a new rule or mode answers the requests that it covers.
import type {
	EditOutcome,
	PermissionAnswer,
	PermissionMode,
	PermissionRequest,
	RequestDetail,
	RuleCheck,
	RuleScope,
} from '../../shared/permission.ts';
import { declinedText, declinedWithoutReason } from '../messages/declined.ts';
import type { JsonObject } from '../messages/types.ts';
import type { SourcedRule } from '../permissions/rule.ts';
import { rulesFrom } from '../permissions/rule.ts';
import type { ShellAnalysis } from '../permissions/shellAnalysis.ts';
import type { Verdict } from '../permissions/verdict.ts';
import type { Journal } from '../messages/journal.ts';
import { denialReasons, isWhollyDenied } from '../tools/choice.ts';
import type { Decision, PermissionQuestion } from '../tools/permitCall.ts';
import type { EngineOptions, SessionEvent } from './options.ts';
import type { PermissionInquiry, SupposedCall } from './permissionInquiry.ts';
import { checkRule, ruleLines } from './permissionInquiry.ts';
import type { JudgedCall } from './permissionJudge.ts';
import { PermissionJudge } from './permissionJudge.ts';

export interface GateOptions {
	readonly options: EngineOptions;
	readonly journal: Journal;
	readonly mode: () => PermissionMode;
	/** Request ids from a resumed transcript, by tool use id. */
	readonly requestIds: ReadonlyMap<string, string>;
	readonly emit: (event: SessionEvent) => void;
}

/** A subagent that asks. */
export interface Asker {
	/** Its type's name. */
	readonly agent: string;
	/** Where it is written down that a call waits. */
	readonly journal: Journal;
	/** Told when a call of its begins to wait for the person, and when that is over. */
	waits(toolUseId: string, waiting: boolean): void;
}

interface Asking {
	readonly signal: AbortSignal;
	readonly asker: Asker | undefined;
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
	private readonly judging: PermissionJudge;
	private added: readonly SourcedRule[] = [];
	private readonly open = new Set<Open>();

	constructor(gate: GateOptions) {
		this.gate = gate;
		this.judging = new PermissionJudge(gate.options, gate.mode);
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

	/** False where a deny rule or the secrets policy keeps a file out of what a search below `base` found. */
	mayRead(path: string, base: string): boolean {
		return this.judging.mayRead(path, base);
	}

	/** What a command line would do. Never rejects. */
	analyse(command: string, cwd: string): Promise<ShellAnalysis> {
		return this.judging.analyse(command, cwd);
	}

	/** Files that are told to the model only when it asks for them, and the person allows it. */
	isSecret(path: string): boolean {
		return this.judging.isSecret(path);
	}

	/** A tool that is denied whatever its input is not offered to the model. */
	isDenied(tool: string): boolean {
		return this.judging.isDenied(tool);
	}

	/** Decides one call; of the conversation itself unless there is an `asker`. Contract: resolves also when the signal aborts. */
	async decide(question: PermissionQuestion, signal: AbortSignal, asker?: Asker): Promise<Decision> {
		const verdict = await this.judge(calledBy(question));
		const decision = await this.decisionOn(verdict, question, { signal, asker });
		if (decision.behavior === 'deny' && !decision.stopped) {
			const { name, id, input } = question.toolUse;
			this.denials.push({ tool: name, toolUseId: id, input });
		}
		return decision;
	}

	private decisionOn(verdict: Verdict, question: PermissionQuestion, asking: Asking): Decision | Promise<Decision> {
		if (verdict.verdict === 'deny') return this.settled(verdict);
		if (question.answered) return { behavior: 'allow' };
		if (verdict.verdict === 'ask') return this.ask(question, verdict, asking);
		if (question.mustAsk !== true) return this.settled(verdict);
		if (this.gate.mode() === 'dontAsk') return { behavior: 'deny', message: changedSince };
		return this.ask(question, { verdict: 'ask', reason: { code: 'changed_since' } }, asking);
	}

	/** After a change of rules or mode: requests that are decided now need no answer any more. */
	async judgeAgain(): Promise<void> {
		for (const open of this.open) {
			const verdict = await this.judge(calledBy(open.question));
			if (verdict.verdict === 'ask' || (verdict.verdict === 'allow' && open.question.mustAsk === true)) continue;
			open.decided = this.settled(verdict);
			open.withdraw.abort();
		}
	}

	private judge(call: JudgedCall, extra: readonly SourcedRule[] = []): Promise<Verdict> {
		return this.judging.judge(call, [...this.added, ...extra]);
	}

	private settled(verdict: Exclude<Verdict, { verdict: 'ask' }>): Decision {
		return verdict.verdict === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.message };
	}

	private async ask(
		question: PermissionQuestion,
		verdict: Extract<Verdict, { verdict: 'ask' }>,
		{ signal, asker }: Asking,
	): Promise<Decision> {
		const { options, requestIds, emit } = this.gate;
		const { toolUse, summary, need } = question;
		const id = requestIds.get(toolUse.id) ?? options.ports.uuid();
		const request: PermissionRequest = {
			id,
			toolUseId: toolUse.id,
			tool: toolUse.name,
			summary,
			detail: need.detail,
			reason: verdict.reason,
			...(verdict.explanation === undefined ? {} : { explanation: verdict.explanation }),
			...(verdict.suggestedRule === undefined ? {} : { suggestedRule: verdict.suggestedRule }),
			...(verdict.suggestedRules === undefined ? {} : { suggestedRules: verdict.suggestedRules }),
			...(asker === undefined ? {} : { agent: asker.agent }),
		};
		const open: Open = { id, question, withdraw: new AbortController() };
		this.open.add(open);
		try {
			const journal = asker?.journal ?? this.gate.journal;
			if (!requestIds.has(toolUse.id))
				await journal.append({ type: 'permission', requestId: id, toolUseId: toolUse.id });
			asker?.waits(toolUse.id, true);
			emit({ type: 'permission_requested', request });
			const until = AbortSignal.any([signal, open.withdraw.signal]);
			const answer = await options.ports.interaction.requestPermission(request, until, need.proposed);
			const decision = open.decided ?? (await this.decisionOf(answer, question));
			emit({
				type: 'permission_resolved',
				requestId: id,
				toolUseId: toolUse.id,
				allowed: decision.behavior === 'allow',
			});
			return decision;
		} finally {
			asker?.waits(toolUse.id, false);
			this.open.delete(open);
		}
	}

	/** Contract: a rule that cannot be saved holds for this session all the same, and that is told. */
	private async keep({ text, scope }: { readonly text: string; readonly scope: RuleScope }): Promise<void> {
		const { options, emit } = this.gate;
		for (const rule of ruleLines(text)) {
			if (scope === 'session' || options.saveRule === undefined) {
				this.allow(rule);
				continue;
			}
			await options.saveRule(rule, scope).catch((error: unknown) => {
				this.allow(rule);
				const message = error instanceof Error ? error.message : String(error);
				emit({ type: 'background_failed', work: `saving the rule ${rule}`, message });
			});
		}
		await this.judgeAgain();
	}

	private async decisionOf(answer: PermissionAnswer, { need }: PermissionQuestion): Promise<Decision> {
		if (answer.behavior === 'allow') {
			const declined = answer.edit && declinedEdit(need.detail, answer.edit);
			if (declined) return declined;
			if (answer.rule) {
				await this.keep(answer.rule);
			}
			const { input, mode, edit } = answer;
			return {
				behavior: 'allow',
				asked: true,
				...(input === undefined ? {} : { input: input as JsonObject }),
				...(mode === undefined ? {} : { mode }),
				...(edit === undefined ? {} : { edit }),
			};
		}
		if (answer.stopped) return { behavior: 'deny', message: 'Interrupted by user.', stopped: true };
		const reason = answer.reason?.trim();
		const advice = need.access.kind === 'person' ? need.access.declined : undefined;
		return { behavior: 'deny', message: reason ? declinedText(reason, advice) : (advice ?? declinedWithoutReason) };
	}
}

const changedSince =
	'The user chose what to take of this edit, and the file has changed since. In this mode nobody is asked again, so nothing was written; read the file again.';

/** An edit of which nothing is left, or that goes whole or not at all. */
function declinedEdit(detail: RequestDetail, edit: EditOutcome): Decision | undefined {
	if (detail.kind !== 'edit') return undefined;
	const none = detail.whole === true ? edit.hunks.some(({ kind }) => kind === 'denied') : isWhollyDenied(edit, detail);
	if (!none) return undefined;
	const reasons = denialReasons(detail.hunks, edit.hunks);
	return { behavior: 'deny', message: reasons === '' ? declinedWithoutReason : declinedText(reasons) };
}

function calledBy({ toolUse, need, hook }: PermissionQuestion): JudgedCall {
	return { tool: toolUse.name, need, input: toolUse.input, ...(hook === undefined ? {} : { hook }) };
}
