// What a tool is. One tool = one file in `builtin/` that calls `defineTool`; see docs/writing-a-tool.md.
import * as z from 'zod';
import type { JsonObject, ToolResultContent } from '../messages/types.ts';
import type { EditOutcome, PermissionMode } from '../../shared/permission.ts';
import type { PermissionNeed } from '../permissions/access.ts';
import type { Todo, ToolView } from '../../shared/view.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { Search } from '../ports/search.ts';
import type { Shell } from '../ports/shell.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShellAnalysis } from '../permissions/shellAnalysis.ts';
import type { BackgroundTasks } from '../tasks/backgroundTasks.ts';
import type { FileState } from './fileState.ts';
import type { PlanMode } from './planMode.ts';
import type { RunSubagent } from './subagent.ts';

export type { PermissionNeed } from '../permissions/access.ts';

/** What tools may use. The loop hands the same one to every call of a turn; a tool may return a changed one. */
export interface ToolContext {
	readonly workspace: Workspace;
	readonly search: Search;
	readonly shell: Shell;
	/** The commands that run. */
	readonly tasks: BackgroundTasks;
	/** What a command line would do when it starts in `cwd`; absent: nothing is known of it. Never rejects. */
	readonly analyse?: (command: string, cwd: string) => Promise<ShellAnalysis>;
	/** Milliseconds for a command that names no time of its own; absent: the default. */
	readonly commandTimeoutMs?: () => number;
	readonly clock: Clock;
	/** What this conversation has read and written (staleness by content). */
	readonly fileState: FileState;
	/** Where commands start: the session's root, or the folder the last `cd` led to. Relative paths start at the root. */
	readonly cwd: string;
	readonly todos: readonly Todo[];
	readonly mode: PermissionMode;
	/** Absent where there is none (in subagents): only the conversation itself has modes. */
	readonly planMode?: PlanMode;
	/** Runs a subagent; absent in subagents: they start none. */
	readonly runSubagent?: RunSubagent;
	/** The person has answered this very call: it is not refused for what they changed elsewhere meanwhile. */
	readonly answered?: boolean;
	/** The file has changed while the person was asked about this edit: they see it on the text of now, whoever has read that. */
	readonly askedAgain?: boolean;
	/** False for files that a deny rule or the secrets policy keeps out of what a search below `base` found. Without it all may be shown. */
	readonly mayRead?: (path: string, base: string) => boolean;
}

/** Where a running call reports to. */
export interface ToolRun {
	readonly toolUseId: string;
	readonly signal: AbortSignal;
	/** The fields that the person gave when they allowed it; known to come from nobody else. */
	readonly answered?: JsonObject;
	/** Of a proposed edit: what the person took of it. */
	readonly edit?: EditOutcome;
	/** A view to replace the card's current one, or output to append to a `command` view. */
	progress(update: ToolProgress): void;
}
export type ToolProgress =
	{ readonly kind: 'view'; readonly view: ToolView } | { readonly kind: 'output'; readonly text: string };

/** What a run gives back: what the model reads, and what the person sees. */
export interface ToolOutput {
	/** A string becomes one text block. Blank output becomes "(no output)" before it is sent. */
	readonly content: string | readonly ToolResultContent[];
	readonly view: ToolView;
	/** An expected failure, written for the model: what is wrong and what to do instead. */
	readonly isError?: boolean;
	/** Changes to the context for the calls that come after. */
	readonly context?: Partial<Pick<ToolContext, 'cwd' | 'todos'>>;
}

/**
 * `ready`: go on, with whatever was computed (a proposed text, say). `refused`: the call cannot work; the message goes to
 * the model as an error and nobody is asked.
 */
export type Preparation<P> =
	| { readonly kind: 'ready'; readonly value: P }
	| { readonly kind: 'refused'; readonly message: string; readonly view?: ToolView };

export interface ToolSpec<S extends z.ZodType<object>, P> {
	/** The public name (`Read`, `Bash`), 1-64 of [a-zA-Z0-9_-]. */
	readonly name: string;
	/** English, for the model. */
	readonly description: string;
	readonly schema: S;
	/** Judged per input: true means that it may overlap other safe calls. A throw counts as false. Contract: judging changes nothing. */
	isConcurrencySafe(input: z.output<S>, context: ToolContext): boolean | Promise<boolean>;
	/** Of a call that overlaps others and changes things all the same: once it has started, it is never asked for again. Absent: it only reads. */
	hasEffects?(input: z.output<S>): boolean;
	/** What a new message of the user does to a running call. */
	readonly interrupt: 'cancel' | 'block';
	/** Characters; longer results go to a file. `Infinity` opts out. */
	readonly maxResultChars: number;
	/** One line for the card, such as the path or the command. */
	summary(input: z.output<S>, context: ToolContext): string;
	/** Read-only work before permission is asked. Contract: writes nothing. */
	prepare?(input: z.output<S>, context: ToolContext, signal: AbortSignal): Promise<Preparation<P>>;
	permission(input: z.output<S>, context: ToolContext, prepared: P | undefined): PermissionNeed;
	/** Of a proposed edit: false when what the person took of it (`undefined`: all) cannot be applied any more. They are asked again. */
	fits?(prepared: P | undefined, outcome: EditOutcome | undefined, context: ToolContext): Promise<boolean>;
	/**
	 * Asked for before its turn, as soon as the call arrives: gives the context in which it is done already, for what is
	 * proposed on top of it. Reads only.
	 */
	after?(prepared: P | undefined, context: ToolContext): ToolContext;
	/** Contract: expected failures are `isError` outputs; a throw is a bug and is answered as such. */
	run(input: z.output<S>, context: ToolContext, run: ToolRun, prepared: P | undefined): Promise<ToolOutput>;
}

/** A tool with its types folded away, as the registry and the executor hold it. */
export interface Tool {
	readonly name: string;
	readonly description: string;
	readonly inputSchema: JsonObject;
	readonly interrupt: 'cancel' | 'block';
	readonly maxResultChars: number;
	/** The person is asked before its turn comes; it runs at its turn all the same. */
	readonly asksAhead: boolean;
	/** Validates the input; `failed` has one readable line per problem. */
	parse(input: JsonObject): ParsedCall | { readonly kind: 'failed'; readonly message: string };
}
/** A call whose input is valid: everything that the executor does with it, in order. */
export interface ParsedCall {
	readonly kind: 'parsed';
	/** Never rejects. */
	isConcurrencySafe(context: ToolContext): boolean | Promise<boolean>;
	/** It changes things although it overlaps others. */
	readonly hasEffects: boolean;
	summary(context: ToolContext): string;
	prepare(context: ToolContext, signal: AbortSignal): Promise<Preparation<PreparedCall>>;
}
export interface PreparedCall {
	permission(context: ToolContext): PermissionNeed;
	fits(outcome: EditOutcome | undefined, context: ToolContext): Promise<boolean>;
	after(context: ToolContext): ToolContext;
	run(context: ToolContext, run: ToolRun): Promise<ToolOutput>;
}

// A schema is used a few times in a run: a parser compiled for it (by `eval`, which no code cache keeps) would not pay.
z.config({ jitless: true });

/** Makes a tool of its description; the input's JSON Schema is derived from zod. */
export function defineTool<S extends z.ZodType<object>, P = undefined>(spec: ToolSpec<S, P>): Tool {
	const { $schema: _, ...inputSchema } = z.toJSONSchema(spec.schema, { io: 'input', target: 'draft-2020-12' });
	return {
		name: spec.name,
		description: spec.description,
		inputSchema: inputSchema as JsonObject,
		interrupt: spec.interrupt,
		maxResultChars: spec.maxResultChars,
		asksAhead: spec.after !== undefined,
		parse(raw) {
			const parsed = spec.schema.safeParse(raw);
			if (!parsed.success) return { kind: 'failed', message: problems(parsed.error) };
			return call(spec, parsed.data);
		},
	};
}

function call<S extends z.ZodType<object>, P>(spec: ToolSpec<S, P>, input: z.output<S>): ParsedCall {
	return {
		kind: 'parsed',
		hasEffects: spec.hasEffects?.(input) ?? false,
		isConcurrencySafe(context) {
			try {
				const safe = spec.isConcurrencySafe(input, context);
				return typeof safe === 'boolean' ? safe : safe.catch(() => false);
			} catch {
				return false;
			}
		},
		summary: (context) => spec.summary(input, context),
		async prepare(context, signal) {
			const prepared = (await spec.prepare?.(input, context, signal)) ?? { kind: 'ready', value: undefined };
			if (prepared.kind === 'refused') return prepared;
			const value = prepared.value;
			return {
				kind: 'ready',
				value: {
					permission: (now) => spec.permission(input, now, value),
					after: (now) => spec.after?.(value, now) ?? now,
					fits: async (outcome, now) => (await spec.fits?.(value, outcome, now)) ?? true,
					run: (now, run) => spec.run(input, now, run, value),
				},
			};
		},
	};
}

function problems(error: z.ZodError): string {
	return error.issues.map((issue) => `${issue.path.join('.') || '(input)'}: ${issue.message}`).join('\n');
}
