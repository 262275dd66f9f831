// The command line of the headless runner. Pure. Rule: what is not understood is refused, never guessed.
import { parseArgs } from 'node:util';
import { permissionModes } from '../shared/permission.ts';
import { splitList } from '../node/settings/definitions.ts';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface RunArguments {
	/** Absent: it is read from stdin. */
	readonly prompt?: string;
	readonly format: OutputFormat;
	readonly verbose: boolean;
	readonly partial: boolean;
	readonly model?: string;
	/** In order. */
	readonly fallbackModels: readonly string[];
	readonly maxTurns?: string;
	readonly maxBudgetUsd?: string;
	readonly permissionMode?: string;
	readonly allowedTools: readonly string[];
	readonly disallowedTools: readonly string[];
	readonly appendSystemPrompt?: string;
	/** The id of a session, or the last one of the folder. */
	readonly resume?: { readonly id: string } | 'latest';
	readonly fork: boolean;
	readonly sessionId?: string;
	readonly persist: boolean;
	readonly cwd?: string;
	readonly addDirs: readonly string[];
	readonly trust: boolean;
	/** `NAME=VALUE`. */
	readonly settings: readonly string[];
}

export type Parsed =
	| { readonly kind: 'run'; readonly args: RunArguments }
	| { readonly kind: 'help' }
	| { readonly kind: 'version' }
	| { readonly kind: 'wrong'; readonly message: string };

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;
const options = {
	prompt: text,
	'output-format': text,
	verbose: flag,
	'include-partial-messages': flag,
	model: text,
	'fallback-model': texts,
	'max-turns': text,
	'max-budget-usd': text,
	'permission-mode': text,
	'allowed-tools': texts,
	'disallowed-tools': texts,
	'append-system-prompt': text,
	resume: text,
	continue: flag,
	'fork-session': flag,
	'session-id': text,
	'no-session-persistence': flag,
	cwd: text,
	'add-dir': texts,
	trust: flag,
	setting: texts,
	version: flag,
	help: flag,
} as const;

const formats: readonly string[] = ['text', 'json', 'stream-json'];
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Reads the arguments (without Node and script). */
export function parseArguments(argv: readonly string[]): Parsed {
	let values: Values;
	try {
		values = readValues(joinValues(argv));
	} catch (error) {
		return wrong(describe(error));
	}
	if (values.help) return { kind: 'help' };
	if (values.version) return { kind: 'version' };
	const problem = problemOf(values);
	return problem ? wrong(problem) : { kind: 'run', args: toArguments(values) };
}

type Values = ReturnType<typeof readValues>;
function readValues(args: string[]) {
	return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
}

function problemOf(values: Values): string | undefined {
	const format = values['output-format'] ?? 'text';
	const mode = values['permission-mode'];
	const id = values['session-id'];
	const resumes = values.resume !== undefined || values.continue === true;
	if (!formats.includes(format)) return `--output-format must be one of ${formats.join(', ')}, not "${format}".`;
	if (values['include-partial-messages'] && format !== 'stream-json') {
		return '--include-partial-messages needs --output-format stream-json.';
	}
	if (mode !== undefined && !permissionModes.some((known) => known === mode)) {
		return `--permission-mode must be one of ${permissionModes.join(', ')}, not "${mode}".`;
	}
	const turns = values['max-turns'];
	if (turns !== undefined && !/^[1-9]\d{0,8}$/.test(turns)) {
		return `--max-turns must be a whole number of at least 1, not "${turns}".`;
	}
	const budget = values['max-budget-usd'];
	if (budget !== undefined && !(/^\d*\.?\d+$/.test(budget) && Number(budget) > 0)) {
		return `--max-budget-usd must be a number above 0, not "${budget}".`;
	}
	const fallbacks = values['fallback-model'];
	if (fallbacks && fallbacks.flatMap(splitList).length === 0) return '--fallback-model needs the name of a model.';
	if (values.model !== undefined && values.model.trim() === '') return '--model needs the name of a model.';
	if (id !== undefined && !uuid.test(id)) return `--session-id must be a UUID, not "${id}".`;
	if (values.resume !== undefined && values.continue) return '--resume and --continue exclude each other.';
	if (values.resume === '') return '--resume needs the id of a session.';
	if (values['fork-session'] && !resumes) return '--fork-session needs --resume or --continue.';
	if (id !== undefined && resumes && !values['fork-session']) {
		return '--session-id cannot be given with --resume or --continue, unless --fork-session is.';
	}
	if (values.prompt !== undefined && values.prompt.trim() === '') return 'The prompt is empty.';
	return undefined;
}

function toArguments(values: Values): RunArguments {
	const { prompt, model, cwd, 'max-turns': maxTurns, 'permission-mode': permissionMode } = values;
	const { 'max-budget-usd': maxBudgetUsd } = values;
	const { 'append-system-prompt': appendSystemPrompt, 'session-id': sessionId } = values;
	const resume = values.continue ? 'latest' : values.resume === undefined ? undefined : { id: values.resume };
	return {
		...(prompt === undefined ? {} : { prompt }),
		format: (values['output-format'] ?? 'text') as OutputFormat,
		verbose: values.verbose ?? false,
		partial: values['include-partial-messages'] ?? false,
		...(model === undefined ? {} : { model }),
		fallbackModels: (values['fallback-model'] ?? []).flatMap(splitList),
		...(maxTurns === undefined ? {} : { maxTurns }),
		...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
		...(permissionMode === undefined ? {} : { permissionMode }),
		allowedTools: (values['allowed-tools'] ?? []).flatMap(splitList),
		disallowedTools: (values['disallowed-tools'] ?? []).flatMap(splitList),
		...(appendSystemPrompt === undefined ? {} : { appendSystemPrompt }),
		...(resume === undefined ? {} : { resume }),
		fork: values['fork-session'] ?? false,
		...(sessionId === undefined ? {} : { sessionId: sessionId.toLowerCase() }),
		persist: !values['no-session-persistence'],
		...(cwd === undefined ? {} : { cwd }),
		addDirs: values['add-dir'] ?? [],
		trust: values.trust ?? false,
		settings: values.setting ?? [],
	};
}

/**
 * Joins an option and its value (`--model X` → `--model=X`), so that a value may begin with a dash, and gives `-p` its long
 * name. An option's value is never another option of ours: `-p --verbose` is a prompt from stdin.
 */
function joinValues(argv: readonly string[]): string[] {
	const joined: string[] = [];
	for (let index = 0; index < argv.length; index++) {
		const arg = argv[index] ?? '';
		if (arg.startsWith('-p=')) {
			joined.push(`--prompt=${arg.slice(3)}`);
			continue;
		}
		const name = arg === '-p' ? 'prompt' : arg.startsWith('--') ? arg.slice(2) : '';
		const next = argv[index + 1];
		const takesValue = Object.hasOwn(options, name) && options[name as keyof typeof options].type === 'string';
		if (!takesValue) joined.push(arg === '-h' ? '--help' : arg);
		else if (next !== undefined && !isOption(next)) {
			joined.push(`--${name}=${next}`);
			index++;
		} else if (name !== 'prompt') joined.push(`--${name}`);
	}
	return joined;
}

function isOption(arg: string): boolean {
	return (
		arg === '-p' ||
		arg.startsWith('-p=') ||
		(arg.startsWith('--') && Object.hasOwn(options, arg.slice(2).split('=')[0] ?? ''))
	);
}

function wrong(message: string): Parsed {
	return { kind: 'wrong', message };
}

function describe(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error);
	const positional = /Unexpected argument '(.*)'/s.exec(message)?.[1];
	if (positional !== undefined) return `Unexpected argument "${positional}". Give the prompt with -p "…" or on stdin.`;
	return (message.split('. To specify')[0] ?? message).replace(/\.?$/, '.');
}

export const usage = `Usage: node headless.js -p "PROMPT" [options]      (or the prompt on stdin)

Output
  --output-format text|json|stream-json   the final answer, the result, or every message as a line of JSON
  --include-partial-messages              with stream-json: the answer while it grows
  --verbose                               text: tool calls on stderr; json: all messages
Agent
  --model NAME                            --append-system-prompt TEXT
  --fallback-model A,B                    asked in this order when the model is overloaded or declines
  --max-turns N                           requests to the model, at most
  --max-budget-usd X                      US dollars that the session may cost
Permissions
  --permission-mode ${permissionModes.join('|')}
  --allowed-tools "Read,Bash(npm test *)" --disallowed-tools "Bash"
  --trust                                 let the folder's own allow rules apply
Session
  --continue                              go on with the last session of the folder
  --resume ID                             go on with this one; without a prompt: with a turn that was cut
  --fork-session                          with one of these: go on in a copy
  --session-id UUID                       --no-session-persistence
Folder and settings
  --cwd DIR                               --add-dir DIR
  --setting NAME=VALUE                    also as environment variable LOOPWRIGHT_…
  --version                               --help

The key comes from ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN), another server from ANTHROPIC_BASE_URL.
Without a key: --setting provider=demo is a built-in model that is no AI.
Exit status: 0 success, 1 an error result, 2 wrong usage, 130 and 143 stopped by a signal.
`;
