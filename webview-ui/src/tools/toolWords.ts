// A tool call in one line: icon, verb, object, result. Known tools get a sentence of their own; all others look right by
// their name and summary. Pure.
import { t } from '@vscode/l10n';
import type { Row, ToolState, ToolView, ViewState } from '../../../src/shared/view.ts';
import { fileSize, number, shownPath, splitPath, tokens } from '../format.ts';

export type ToolRow = Extract<Row, { kind: 'tool' }>;

export interface ToolWords {
	readonly icon: string;
	readonly verb: string;
	/** What it works on, and where that is (shown dimmed); empty while the arguments are still streaming. */
	readonly object: string;
	readonly place: string;
	/** The outcome in a few words; edits show `added` and `removed` instead. */
	readonly result: string;
	/** The result is a failure. */
	readonly failed: boolean;
}

interface Kind {
	readonly icon: string;
	readonly done: () => string;
	readonly running: () => string;
	/** The summary is a path: show the file's name first. */
	readonly path?: boolean;
	readonly code?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
	Read: { icon: 'file', done: () => t('Read'), running: () => t('Reading'), path: true },
	Grep: { icon: 'search', done: () => t('Searched'), running: () => t('Searching') },
	Glob: { icon: 'list-tree', done: () => t('Listed'), running: () => t('Listing') },
	Edit: { icon: 'edit', done: () => t('Edited'), running: () => t('Editing'), path: true },
	Write: { icon: 'new-file', done: () => t('Wrote'), running: () => t('Writing'), path: true },
	NotebookEdit: { icon: 'notebook', done: () => t('Edited'), running: () => t('Editing'), path: true },
	Bash: { icon: 'terminal', done: () => t('Ran'), running: () => t('Running') },
	PowerShell: { icon: 'terminal-powershell', done: () => t('Ran'), running: () => t('Running') },
	TaskOutput: { icon: 'output', done: () => t('Looked at'), running: () => t('Waiting for') },
	TaskStop: { icon: 'debug-stop', done: () => t('Stopped task'), running: () => t('Stopping') },
	TodoWrite: { icon: 'checklist', done: () => t('Planned'), running: () => t('Planning') },
	AskUserQuestion: { icon: 'question', done: () => t('Asked'), running: () => t('Asking') },
	EnterPlanMode: { icon: 'list-ordered', done: () => t('Started to plan'), running: () => t('Starting to plan') },
	ExitPlanMode: { icon: 'list-ordered', done: () => t('Plan approved'), running: () => t('Presenting the plan') },
	Agent: { icon: 'hubot', done: () => t('Subagent'), running: () => t('Subagent') },
	WebFetch: { icon: 'globe', done: () => t('Fetched'), running: () => t('Fetching') },
};

/** Before a call ran, and when it never did, its verb says what would happen. */
const intents: Readonly<Record<string, () => string>> = {
	Read: () => t('Read'),
	Grep: () => t('Search'),
	Glob: () => t('List'),
	Edit: () => t('Edit'),
	Write: () => t('Write'),
	NotebookEdit: () => t('Edit'),
	Bash: () => t('Run'),
	PowerShell: () => t('Run'),
	TaskOutput: () => t('Look at'),
	TaskStop: () => t('Stop'),
	TodoWrite: () => t('Plan'),
	AskUserQuestion: () => t('Ask'),
	EnterPlanMode: () => t('Start to plan'),
	ExitPlanMode: () => t('Plan'),
	Agent: () => t('Subagent'),
	WebFetch: () => t('Fetch'),
};

/** `place`: where the conversation is. */
export function toolWords(row: ToolRow, place?: Pick<ViewState, 'folder' | 'folders'>): ToolWords {
	const kind = kinds[row.tool];
	const summary = row.summary.replace(/\s+/g, ' ').trim();
	const { base, folder } = kind?.path ? splitPath(shownPath(summary, place)) : { base: summary, folder: '' };
	return {
		icon: kind?.icon ?? (row.tool.startsWith('mcp__') ? 'plug' : 'tools'),
		verb: verb(row, kind),
		// Of a list the result says how much is done.
		object: row.view.kind === 'todos' ? '' : base,
		place: folder,
		result: result(row),
		failed: row.state === 'error' || didFail(row.view),
	};
}

function didFail(view: ToolView): boolean {
	return (view.kind === 'command' && commandFailed(view)) || (view.kind === 'web' && view.status >= 400);
}

/** A tool that the panel knows nothing of, such as one of an MCP server. */
export function isForeign(tool: string): boolean {
	return kinds[tool] === undefined;
}

function verb(row: ToolRow, kind: Kind | undefined): string {
	if (!kind) return row.tool.replace(/^mcp__/, '').replaceAll('__', ' · ');
	if (row.state === 'running') return kind.running();
	if (row.state === 'done' || (row.state === 'error' && row.view.kind === 'command')) return kind.done();
	return intents[row.tool]?.() ?? kind.done();
}

function result({ state, view }: ToolRow): string {
	return stateWords(state, view) ?? viewWords(view);
}

/** What the state alone says; undefined when the view has something to tell. */
function stateWords(state: ToolState, view: ToolView): string | undefined {
	switch (state) {
		case 'queued':
			return t('queued');
		case 'waiting':
			return t('waits for you');
		case 'denied':
			return t('denied');
		case 'stopped':
			return t('stopped');
		case 'error':
			return view.kind === 'command' && commandFailed(view) ? undefined : t('failed');
		case 'running':
			return runningWords(view);
		case 'done':
			return undefined;
	}
}

function runningWords(view: ToolView): string {
	if (view.kind === 'command') return view.waiting ? t('waits for your input') : '';
	if (view.kind !== 'agent') return '';
	if (view.log.some(waits)) return t('waits for you');
	return view.retryAt === undefined ? '' : t('waits for the service');
}

/** A call that waits for the person. */
export function waits(row: Row): boolean {
	return row.kind === 'tool' && row.state === 'waiting';
}

function viewWords(view: ToolView): string {
	switch (view.kind) {
		case 'read':
			return view.lines === 0 ? t('empty') : `${view.firstLine}–${view.firstLine + view.lines - 1}`;
		case 'files':
			return view.total === 0 ? t('nothing found') : counted(view.total, view.truncated);
		case 'matches':
			if (view.total === 0) return t('nothing found');
			return view.files === 1
				? t('{0} in 1 file', atLeast(view.total, view.truncated))
				: t('{0} in {1} files', atLeast(view.total, view.truncated), number(view.files));
		case 'command':
			return commandWords(view);
		case 'todos':
			return t(
				'{0} of {1} done',
				String(view.todos.filter((todo) => todo.status === 'completed').length),
				String(view.todos.length),
			);
		case 'answers':
			return view.answers.map(({ answer }) => answer.replace(/\s+/g, ' ')).join(' · ');
		case 'media':
			return measure(view);
		case 'web':
			return view.status < 400 ? fileSize(view.bytes) : t('failed ({0})', String(view.status));
		// What it was asked is worth the room; the rest is below.
		case 'agent':
		case 'none':
		case 'text':
		case 'edit':
		case 'plan':
			return '';
	}
}

/** "1,280 × 800, 214 kB", "12 pages, 1.4 MB". */
export function mediaWords(view: MediaView): string {
	return [measure(view), fileSize(view.bytes)].filter((part) => part !== '').join(', ');
}

type MediaView = Extract<ToolView, { kind: 'media' }>;

function measure({ size, pages }: MediaView): string {
	if (size !== undefined) return `${number(size.width)} × ${number(size.height)}`;
	if (pages === undefined) return '';
	return pages === 1 ? t('1 page') : t('{0} pages', number(pages));
}

/** "14 calls, 41.8K tokens". */
export function agentWords({ toolUses, tokens: used }: Extract<ToolView, { kind: 'agent' }>): string {
	const calls = toolUses === 1 ? t('1 call') : t('{0} calls', number(toolUses));
	return used === 0 ? calls : `${calls}, ${t('{0} tokens', tokens(used))}`;
}

function counted(total: number, truncated: boolean): string {
	return total === 1 ? t('1 file') : t('{0} files', atLeast(total, truncated));
}
function atLeast(total: number, truncated: boolean): string {
	return truncated ? `${number(total)}+` : number(total);
}

type CommandView = Extract<ToolView, { kind: 'command' }>;

export function commandFailed(view: CommandView): boolean {
	return (
		(view.outcome === 'exited' && view.exitCode !== undefined && view.exitCode !== 0) ||
		view.outcome === 'timed_out' ||
		view.outcome === 'killed_by_signal' ||
		view.outcome === 'not_started'
	);
}

export function commandWords(view: CommandView): string {
	switch (view.outcome) {
		case 'running':
			return view.waiting ? t('waits for your input') : '';
		case 'background':
			return t('in the background');
		case 'exited':
			if (view.exitCode === undefined) return t('ended');
			return view.exitCode === 0 ? t('succeeded') : t('failed ({0})', String(view.exitCode));
		case 'killed_by_signal':
			return t('killed');
		case 'timed_out':
			return t('timed out');
		case 'stopped':
			return t('stopped');
		case 'not_started':
			return t('did not start');
	}
}
