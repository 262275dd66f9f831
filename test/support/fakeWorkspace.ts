// A workspace in memory, and what tools need to run in tests. Paths are POSIX.
import assert from 'node:assert/strict';
import nodePath from 'node:path';
import type { JsonObject } from '../../src/core/messages/types.ts';
import type { EditOutcome } from '../../src/shared/permission.ts';
import type { Search } from '../../src/core/ports/search.ts';
import type { RunningCommand, Shell, ShellCommand, ShellResult } from '../../src/core/ports/shell.ts';
import type {
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	MediaContent,
	Workspace,
} from '../../src/core/ports/workspace.ts';
import { applyEdits } from '../../src/core/tools/edits.ts';
import { BackgroundTasks } from '../../src/core/tasks/backgroundTasks.ts';
import type { TaskSetup } from '../../src/core/tasks/backgroundTasks.ts';
import { FileState } from '../../src/core/tools/fileState.ts';
import type { Tool, ToolContext, ToolOutput, ToolProgress } from '../../src/core/tools/tool.ts';
import { FakeClock } from './fakeTools.ts';
import { analysed } from './shellAnalysis.ts';

export class FakeWorkspace implements Workspace {
	readonly roots: readonly string[];
	readonly files = new Map<string, string>();
	/** Contents other than text, by path. */
	readonly odd = new Map<string, FileContent>();
	readonly media = new Map<string, MediaContent>();
	/** Path → target, for files and folders. */
	readonly links = new Map<string, string>();
	readonly unsaved = new Set<string>();
	readonly changes: FileChange[] = [];
	/** Runs before each change is applied: the person types. */
	beforeChange: (change: FileChange) => void = () => undefined;
	/** What saving makes of a text. */
	format: (text: string) => string = (text) => text;

	constructor(files: Readonly<Record<string, string>> = {}, roots: readonly string[] = ['/w']) {
		this.roots = roots;
		for (const [path, text] of Object.entries(files)) this.files.set(nodePath.resolve(roots[0] ?? '/', path), text);
	}

	text(path: string): string | undefined {
		return this.files.get(this.resolve(nodePath.resolve(this.roots[0] ?? '/', path)));
	}

	read(path: string): Promise<FileContent> {
		const real = this.resolve(path);
		const text = this.files.get(real);
		const odd = this.odd.get(real);
		if (odd !== undefined) return Promise.resolve(odd);
		if (text !== undefined) return Promise.resolve({ kind: 'text', text, unsaved: this.unsaved.has(real) });
		return Promise.resolve(this.isFolder(real) ? { kind: 'folder' } : { kind: 'missing' });
	}

	readMedia(path: string): Promise<MediaContent> {
		const real = this.resolve(path);
		const medium = this.media.get(real);
		if (medium) return Promise.resolve(medium);
		if (this.files.has(real)) return Promise.resolve({ kind: 'other' });
		return Promise.resolve(this.isFolder(real) ? { kind: 'folder' } : { kind: 'missing' });
	}

	stat(path: string): Promise<FileStat | undefined> {
		const real = this.resolve(path);
		const text = this.files.get(real);
		if (text !== undefined) return Promise.resolve({ kind: 'file', size: Buffer.byteLength(text), mtime: 0 });
		return Promise.resolve(this.isFolder(real) ? { kind: 'folder', size: 0, mtime: 0 } : undefined);
	}

	change(change: FileChange): Promise<ChangeOutcome> {
		this.beforeChange(change);
		const real = this.resolve(change.path);
		const current = this.files.get(real);
		if (change.expected === undefined ? current !== undefined && current !== '' : current !== change.expected) {
			const content: FileContent =
				current === undefined ? { kind: 'missing' } : { kind: 'text', text: current, unsaved: false };
			return Promise.resolve({ kind: 'changed', current: content });
		}
		this.changes.push(change);
		const text = this.format(applyEdits(change.expected ?? '', change.edits));
		this.files.set(real, text);
		return Promise.resolve({ kind: 'applied', text, saved: true });
	}

	realPath(path: string): Promise<string> {
		return Promise.resolve(this.resolve(path));
	}

	list(path: string): Promise<readonly string[]> {
		const prefix = `${this.resolve(path)}/`;
		const names = [...this.files.keys()]
			.filter((file) => file.startsWith(prefix))
			.map((file) => file.slice(prefix.length).split('/')[0] ?? '');
		return Promise.resolve([...new Set(names)].sort());
	}

	private isFolder(path: string): boolean {
		return (
			path === '/' || this.roots.includes(path) || [...this.files.keys()].some((file) => file.startsWith(`${path}/`))
		);
	}

	private resolve(path: string, depth = 0): string {
		let current = '/';
		for (const segment of nodePath.resolve(path).split('/').filter(Boolean)) {
			const next = nodePath.join(current, segment);
			const target = this.links.get(next);
			current = target === undefined || depth > 20 ? next : this.resolve(nodePath.resolve(current, target), depth + 1);
		}
		return current;
	}
}

/** Answers each command by a function of it; keeps what was run. */
export class FakeShell implements Shell {
	readonly name = 'bash';
	readonly commands: ShellCommand[] = [];
	answer: (command: ShellCommand) => Partial<ShellResult> = () => ({});

	start(command: ShellCommand): RunningCommand {
		this.commands.push(command);
		const result = { outcome: 'exited' as const, exitCode: 0, output: '', omitted: 0, durationMs: 1 };
		const finished = Promise.resolve({ ...result, ...this.answer(command) });
		return { pid: 1, finished, gone: finished.then(() => undefined), stop() {} };
	}

	dispose(): Promise<void> {
		return Promise.resolve();
	}
}

/** Nothing is written; what takes too long goes on in the background. */
export function fakeTasks(setup: Partial<TaskSetup> = {}): BackgroundTasks {
	let next = 0;
	const files = { outputFile: (id: string) => Promise.resolve(`/out/${id}`), removeOutput: () => Promise.resolve() };
	return new BackgroundTasks({
		clock: new FakeClock(),
		newId: () => `${++next}`,
		files,
		movesOnTimeout: true,
		...setup,
	});
}

/** A search that finds nothing. */
export const emptySearch: Search = {
	files: () => Promise.resolve({ kind: 'found', files: [], truncated: false, total: 0 }),
	content: () => Promise.resolve({ kind: 'found', matches: [], truncated: false, total: 0, files: 0 }),
};

export function fakeContext(workspace: Workspace, changes: Partial<ToolContext> = {}): ToolContext {
	return {
		workspace,
		search: emptySearch,
		shell: new FakeShell(),
		tasks: fakeTasks(),
		analyse: (command, cwd) => analysed(command, 'bash', cwd),
		clock: new FakeClock(),
		fileState: new FileState(),
		cwd: workspace.roots[0] ?? '/',
		todos: [],
		mode: 'default',
		...changes,
	};
}

export interface CallResult extends ToolOutput {
	/** `content` as text. */
	readonly text: string;
	/** True when `prepare` refused it. */
	readonly refused: boolean;
	readonly progress: readonly ToolProgress[];
}

/** Parse, prepare, run: what the executor does, without asking anyone. */
/** `edit`: what the person took of it. `beforeRun`: what happens while they are asked. */
export interface CallMore {
	readonly edit?: EditOutcome;
	readonly beforeRun?: () => void;
	/** Stops the call. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (update: ToolProgress) => void;
}

export async function callTool(
	tool: Tool,
	input: JsonObject,
	context: ToolContext,
	{ edit, beforeRun, signal = new AbortController().signal, onProgress }: CallMore = {},
): Promise<CallResult> {
	const parsed = tool.parse(input);
	assert.equal(parsed.kind, 'parsed', parsed.kind === 'failed' ? parsed.message : '');
	assert.ok(parsed.kind === 'parsed');
	const progress: ToolProgress[] = [];
	const prepared = await parsed.prepare(context, signal);
	if (prepared.kind === 'refused') {
		const view = prepared.view ?? { kind: 'none' as const };
		return { content: prepared.message, text: prepared.message, view, isError: true, refused: true, progress };
	}
	prepared.value.permission(context);
	beforeRun?.();
	const run = {
		toolUseId: 'toolu_1',
		signal,
		progress: (update: ToolProgress) => {
			progress.push(update);
			onProgress?.(update);
		},
		...(edit === undefined ? {} : { edit }),
	};
	const output = await prepared.value.run(context, run);
	const text =
		typeof output.content === 'string'
			? output.content
			: output.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
	return { ...output, text, refused: false, progress };
}
