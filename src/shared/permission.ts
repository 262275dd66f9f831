// Permission requests and answers: core asks, host keeps, panel shows. Plain data.

/** `bypassPermissions` is offered only where a setting enables it. */
export const permissionModes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** One hunk of a proposed edit, as lines: context ' ', removed '-', added '+'. Line numbers are 1-based. */
export interface HunkView {
	readonly oldStart: number;
	readonly newStart: number;
	readonly lines: readonly string[];
}

/** The person's word on one hunk of a proposed edit. */
export interface HunkOutcome {
	readonly kind: 'accepted' | 'denied';
	/** Why it is denied, in the person's words. */
	readonly reason?: string;
}

/** The person's word on a proposed edit, where it is not simply taken as it is. */
export interface EditOutcome {
	/** In the order of the request's hunks; what is missing is accepted. */
	readonly hunks: readonly HunkOutcome[];
	/** The whole text that the person left of it, denied hunks taken out; absent: as proposed, without the denied hunks. */
	readonly text?: string;
}

/** What the card shows of a call before it runs. */
export type RequestDetail =
	| { readonly kind: 'command'; readonly command: string; readonly description?: string; readonly cwd: string }
	| {
			readonly kind: 'edit';
			readonly path: string;
			readonly created: boolean;
			readonly unsaved: boolean;
			readonly hunks: readonly HunkView[];
			readonly added: number;
			readonly removed: number;
			/** Hunk lines left out of `hunks` because there are too many. */
			readonly omittedLines?: number;
			/** The hunks cannot be decided one by one. */
			readonly whole?: boolean;
			/** Of a notebook: the cell that it changes, by its name; the hunks are of its source. */
			readonly cell?: string;
			/** Asked before; the file has changed in the same place since. */
			readonly askedAgain?: boolean;
			/** What the person has decided of the hunks so far, by index; a hole is undecided. */
			readonly outcomes?: readonly (HunkOutcome | null)[];
			/** The person has changed the proposed text: the hunks are theirs. */
			readonly rewritten?: boolean;
	  }
	| { readonly kind: 'path'; readonly path: string }
	| { readonly kind: 'generic'; readonly input: string }
	/** `document`: where the plan lies as a file that the person may change. */
	| { readonly kind: 'plan'; readonly plan: string; readonly document?: string }
	| { readonly kind: 'questions'; readonly questions: readonly QuestionView[] };

/** A question of the agent with 2 to 4 options. Source of the shape: ecosystem, AskUserQuestion. */
export interface QuestionView {
	readonly question: string;
	/** A word or two, as a label. */
	readonly header: string;
	readonly options: readonly { readonly label: string; readonly description: string; readonly preview?: string }[];
	readonly multiSelect: boolean;
}

/** Where a saved rule holds: `mine` is this workspace, for me; `shared` this workspace, for all who work on it. */
export const ruleScopes = ['session', 'mine', 'shared', 'everywhere'] as const;
export type RuleScope = (typeof ruleScopes)[number];

/** Where a rule was written. */
export interface RuleOrigin {
	/** `vscode`: the editor's settings. `claude*`: the settings files of that name. */
	readonly source:
		RuleScope | 'managed' | 'flag' | 'environment' | 'vscode' | 'claudeEverywhere' | 'claudeShared' | 'claudeMine';
	readonly file?: string;
	/** 1-based. */
	readonly line?: number;
}

export interface RuleView {
	readonly text: string;
	readonly behavior: 'allow' | 'ask' | 'deny';
	readonly origin: RuleOrigin;
}

/** What decided, so far as it can be named. */
export interface Explanation {
	readonly rule?: RuleView;
	/** The sub-command or the real path that decided. */
	readonly part?: string;
	/** A second line for the card: what is dangerous about it. */
	readonly danger?: 'protected_path' | 'critical_path' | 'secret' | 'outside_workspace';
}

export interface PermissionRequest {
	readonly id: string;
	readonly toolUseId: string;
	readonly tool: string;
	/** One line: the object of the call. */
	readonly summary: string;
	readonly detail: RequestDetail;
	/** Why it asks: a code for the view to localise, with its arguments. */
	readonly reason: { readonly code: ReasonCode; readonly args?: Readonly<Record<string, string>> };
	readonly explanation?: Explanation;
	/** The rule that "always" would add, such as `Bash(npm test)`; absent when none is safe to offer. */
	readonly suggestedRule?: string;
	/**
	 * For a compound command: one rule for each part that needs it, 2 to 5, in place of `suggestedRule`. "Always" then saves
	 * each of them; it may be offered only where all are shown in full. The answer's `rule.text` has them one per line.
	 */
	readonly suggestedRules?: readonly string[];
	/** The subagent that asks, by its name; absent: the conversation itself. */
	readonly agent?: string;
}

/** What a rule that the person types would do for the request that is open: the host's word, live while they type. */
export type RuleCheck =
	/** `breadth`: how much it allows beside this call. `exact`: this command or file only. */
	| { readonly kind: 'covers'; readonly breadth: 'exact' | 'some' | 'whole_tool' }
	| { readonly kind: 'not_covering' }
	/** It would fit, but a stronger rule or the kind of file asks every time. `rule`: that rule, where it is one. */
	| { readonly kind: 'outweighed'; readonly rule?: string }
	/** `problem`: a sentence (English; the views have its translation). */
	| { readonly kind: 'invalid'; readonly problem: string };

export type ReasonCode =
	| 'mode_asks'
	| 'ask_rule'
	| 'outside_workspace'
	| 'not_read_only'
	| 'protected_path'
	/** A plan or a question: nobody else can answer it. */
	| 'person_decides'
	/** The file holds secrets (`context.exclude`); it can be allowed this once. `args.path`. */
	| 'secret'
	/** What would be removed is past repair. `args.path`. */
	| 'critical_path'
	/** What the command would do cannot be known. `args.part`: the place that is not understood. */
	| 'unclear'
	/** The folder is not trusted: commands wait, edits always ask. */
	| 'untrusted'
	/** The person chose what to take of an edit, and the file is not as they saw it any more. */
	| 'changed_since'
	/** `args.reason`, where the hook gave one. */
	| 'hook_asks'
	| 'hook_denies'
	| 'mode_denies'
	| 'deny_rule'
	| 'nobody_to_ask';

export type PermissionAnswer =
	| {
			readonly behavior: 'allow';
			readonly rule?: { readonly text: string; readonly scope: RuleScope };
			/**
			 * Fields that replace those of the call's input, as the person changed them: an edited command, the answers to
			 * questions, an edited plan. Fields that are not named stay as the model wrote them.
			 */
			readonly input?: Readonly<Record<string, unknown>>;
			/** The mode to go on in (plans, "accept edits from now on"). */
			readonly mode?: PermissionMode;
			/** Of a proposed edit: what becomes of each hunk. */
			readonly edit?: EditOutcome;
	  }
	| { readonly behavior: 'deny'; readonly reason?: string; readonly stopped?: boolean };
