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
	  }
	| { readonly kind: 'path'; readonly path: string }
	| { readonly kind: 'generic'; readonly input: string };

export interface PermissionRequest {
	readonly id: string;
	readonly toolUseId: string;
	readonly tool: string;
	/** One line: the object of the call. */
	readonly summary: string;
	readonly detail: RequestDetail;
	/** Why it asks: a code for the view to localise, with its arguments. */
	readonly reason: { readonly code: ReasonCode; readonly args?: Readonly<Record<string, string>> };
	/** The rule that "always" would add for this session, such as `Bash(npm test)`; absent when none is safe to offer. */
	readonly suggestedRule?: string;
}

export type ReasonCode =
	| 'mode_asks'
	| 'ask_rule'
	| 'outside_workspace'
	| 'not_read_only'
	| 'protected_path'
	| 'mode_denies'
	| 'deny_rule'
	| 'nobody_to_ask';

export type PermissionAnswer =
	| { readonly behavior: 'allow'; readonly rule?: { readonly text: string; readonly scope: 'session' } }
	| { readonly behavior: 'deny'; readonly reason?: string; readonly stopped?: boolean };
