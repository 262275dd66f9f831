// All permission rules in one place, for the person: listed with where they were written and what is wrong with them, added,
// taken out, and tested. Rules of files that are not ours are shown and never changed.
import type { RuleBehavior } from '../../core/permissions/rule.ts';
import type { Conversation } from '../../core/session/engineApi.ts';
import type { PermissionInquiry } from '../../core/session/permissionInquiry.ts';
import type { RuleEditOutcome } from '../../node/settings/ruleFile.ts';
import type { Sentence, SettingsProblem } from '../../node/settings/sentence.ts';
import type { RuleScope, RuleView } from '../../shared/permission.ts';
import type { HostSettings } from '../settings/hostSettings.ts';

export interface BookRule extends RuleView {
	/** It counts only once the folder is trusted. */
	readonly waits: boolean;
	readonly removable: boolean;
	readonly problem?: Sentence;
}

export interface RuleBookContents {
	/** Deny rules first, then those that ask, then those that allow. */
	readonly rules: readonly BookRule[];
	/** What is wrong with files and values, beside single rules. */
	readonly problems: readonly SettingsProblem[];
}

export interface RuleBookDeps {
	readonly settings: Pick<HostSettings, 'rules' | 'problems' | 'refresh' | 'saveRule' | 'removeRule'>;
	/** The root of the conversation in front, absolute. */
	root(): string;
	/** The one in front. */
	conversation(): Promise<BookConversation>;
}

export interface BookConversation extends Pick<Conversation, 'allowForSession' | 'rulesChanged'> {
	readonly permissions: Pick<PermissionInquiry, 'sessionRules' | 'forget' | 'test'>;
}

/** What became of a change: nothing to say, or why it was not made. */
export type BookOutcome = Sentence | undefined;

export class RuleBook {
	private readonly deps: RuleBookDeps;

	constructor(deps: RuleBookDeps) {
		this.deps = deps;
	}

	async read(): Promise<RuleBookContents> {
		const { settings } = this.deps;
		const { permissions } = await this.deps.conversation();
		await settings.refresh();
		const { problems } = settings;
		const session = permissions.sessionRules.map((text): BookRule => ({
			text,
			behavior: 'allow',
			origin: { source: 'session' },
			waits: false,
			removable: true,
		}));
		const rules = settings.rules.map((rule): BookRule => {
			const problem = problems.find((other) => isAbout(other, rule))?.sentence;
			return { ...rule, removable: isOurs(rule), ...(problem === undefined ? {} : { problem }) };
		});
		return {
			rules: [...rules, ...session],
			problems: problems.filter((problem) => !rules.some((rule) => isAbout(problem, rule))),
		};
	}

	async add(text: string, behavior: RuleBehavior, scope: RuleScope): Promise<BookOutcome> {
		if (scope !== 'session')
			return refusalOf(await this.deps.settings.saveRule(text, behavior, scope, this.deps.root()));
		const conversation = await this.deps.conversation();
		conversation.allowForSession(text.trim());
		// Requests that it covers need no answer any more.
		await conversation.rulesChanged();
		return undefined;
	}

	async remove(rule: RuleView): Promise<BookOutcome> {
		if (rule.origin.source !== 'session') return refusalOf(await this.deps.settings.removeRule(rule));
		(await this.deps.conversation()).permissions.forget(rule.text);
		return undefined;
	}

	async test(call: Parameters<PermissionInquiry['test']>[0]): ReturnType<PermissionInquiry['test']> {
		return (await this.deps.conversation()).permissions.test(call);
	}
}

function isOurs({ origin }: RuleView): boolean {
	return ['mine', 'shared', 'everywhere', 'vscode'].includes(origin.source);
}

function isAbout({ file, line, sentence }: SettingsProblem, { text, origin }: RuleView): boolean {
	return sentence.args[0] === text && file === (origin.file ?? '') && line === (origin.line ?? 1);
}

function refusalOf(outcome: RuleEditOutcome): BookOutcome {
	return outcome.kind === 'refused' ? outcome.problem : undefined;
}
