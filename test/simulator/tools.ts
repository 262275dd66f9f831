// The tools of a run. What each does is decided as it runs; what it did is written into the world and checked there: each
// call runs once, only after its start entry, never when declined, and an unsafe one alone (invariants 2 and 5).
import { z } from 'zod';
import type { Tool, ToolContext, ToolOutput, ToolRun } from '../../src/core/tools/tool.ts';
import { agentTool } from '../../src/core/tools/builtin/agent.ts';
import { bashTool } from '../../src/core/tools/builtin/bash.ts';
import { editTool } from '../../src/core/tools/builtin/edit.ts';
import { globTool } from '../../src/core/tools/builtin/glob.ts';
import { grepTool } from '../../src/core/tools/builtin/grep.ts';
import { readTool } from '../../src/core/tools/builtin/read.ts';
import { todoWriteTool } from '../../src/core/tools/builtin/todoWrite.ts';
import { writeTool } from '../../src/core/tools/builtin/write.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import type {
	CellsChange,
	ChangeOutcome,
	FileChange,
	FileContent,
	FileStat,
	MediaContent,
} from '../../src/core/ports/workspace.ts';
import type { ImageBlock } from '../../src/core/messages/types.ts';
import type { Search } from '../../src/core/ports/search.ts';
import type { Shell, ShellResult } from '../../src/core/ports/shell.ts';
import { imageData } from './images.ts';
import type { Life, World } from './world.ts';
import { never, nonceOf } from './world.ts';

/** The workspace port of one life; tools find their world by it. */
export class SimWorkspace {
	readonly roots = ['/w'];
	readonly world: World;
	readonly life: Life;

	constructor(world: World, life: Life) {
		this.world = world;
		this.life = life;
	}

	async read(path: string): Promise<FileContent> {
		if (this.life.dead) return never();
		return this.world.files?.read(path) ?? { kind: 'text', text: this.text(path), unsaved: false };
	}
	readMedia(): Promise<MediaContent> {
		return Promise.resolve({ kind: 'other' });
	}
	stat(path: string): Promise<FileStat | undefined> {
		if (path === '/w') return Promise.resolve({ kind: 'folder', size: 0, mtime: 1 });
		const { files } = this.world;
		const version = files?.version ?? this.world.version;
		if (files && !files.texts.has(path)) return Promise.resolve(undefined);
		return Promise.resolve({ kind: 'file', size: version, mtime: version });
	}
	text(path: string): string {
		return `The file ${path}, version ${this.world.version}.`;
	}
	async change(change: FileChange | CellsChange): Promise<ChangeOutcome> {
		const { files, scheduler, peace } = this.world;
		if (!files || 'expectedCells' in change) return { kind: 'failed', message: 'no changes here' };
		if (!peace) await scheduler.turn(`${change.path} is about to change`);
		return this.life.dead ? never() : files.change(change);
	}
	realPath(path: string) {
		return Promise.resolve(path);
	}
	list() {
		return Promise.resolve([...(this.world.files?.texts.keys() ?? [])]);
	}
}

/** ripgrep, as far as it goes. */
export function searchOf(world: World, life: Life): Search {
	const found = async <T>(result: (paths: readonly string[]) => T) => {
		if (life.dead) return never();
		if (!world.peace) await world.scheduler.turn('a search finds');
		return { kind: 'found' as const, truncated: false, ...result([...(world.files?.texts.keys() ?? [])]) };
	};
	return {
		files: () => found((files) => ({ files, total: files.length })),
		content: ({ pattern }) =>
			found((paths) => {
				const files = paths.filter((path) => world.files?.texts.get(path)?.includes(pattern) === true);
				return { matches: files.map((file) => ({ file })), total: files.length, files: files.length };
			}),
	};
}

/** A shell whose commands say what they did; some change a file. */
export function shellOf(world: World, life: Life): Shell {
	const { scheduler, decisions } = world;
	return {
		name: 'bash',
		dispose: () => Promise.resolve(),
		start(order) {
			const nonce = nonceOf(order);
			const stop = new AbortController();
			const run = async (): Promise<ShellResult> => {
				if (life.dead) return never();
				const id = world.startedBy.get(nonce) ?? nonce;
				begin(world, { name: 'Bash', safe: false }, nonce, id);
				for (let left = world.peace ? 0 : decisions.below(4); left > 0 && !stop.signal.aborted; left--) {
					await scheduler.turn(`the command ${nonce} works`);
					order.onOutput?.('.');
				}
				world.running.delete(id);
				const stopped = stop.signal.aborted;
				if (world.results.has(id) && !stopped) world.commandEnds(nonce);
				if (!stopped && !world.peace && decisions.oneIn(4)) world.files?.somebodyChanges();
				const exitCode = world.peace || decisions.below(5) < 4 ? 0 : 3;
				return { outcome: stopped ? 'stopped' : 'exited', exitCode, output: `did ${nonce}`, omitted: 0, durationMs: 0 };
			};
			const finished = run();
			return {
				pid: 1,
				finished,
				gone: finished.then(() => undefined),
				stop: () => stop.abort('stopped'),
			};
		},
	};
}

interface Spec {
	readonly name: string;
	readonly safe: boolean;
	readonly interrupt?: 'cancel';
	/** Asks the person. */
	readonly asks?: true;
	/** Gives long results; `sometimes`: in long conversations. */
	readonly long?: true | 'sometimes';
}

const specs: readonly Spec[] = [
	{ name: 'Look', safe: true, long: 'sometimes' },
	{ name: 'Do', safe: false, asks: true },
	{ name: 'Set', safe: false },
	{ name: 'Read', safe: true, long: true },
	{ name: 'Grep', safe: true },
	{ name: 'Wait', safe: true, interrupt: 'cancel' },
	{ name: 'Bash', safe: false, asks: true },
];

const ownTools = specs.map((spec) =>
	defineTool({
		name: spec.name,
		description: 'A tool of the simulator.',
		schema: z.object({ id: z.string() }),
		isConcurrencySafe: () => spec.safe,
		interrupt: spec.interrupt ?? 'block',
		maxResultChars: spec.long ? 5000 : 1000,
		summary: ({ id }) => id,
		permission: ({ id }) => ({
			access: spec.asks ? { kind: 'command', command: `do ${id}` } : { kind: 'none' },
			detail: { kind: 'command', command: `do ${id}`, cwd: '/w' },
		}),
		run: ({ id }, context, run) => runTool(spec, id, context, run),
	}),
);
export const tools: readonly Tool[] = [...ownTools, todoWriteTool];
export const toolsWithAgents: readonly Tool[] = [...tools, agentTool];

/** The built-in ones, where there are files. */
export const fileTools: readonly Tool[] = [
	...ownTools.filter(({ name }) => ['Look', 'Do', 'Set', 'Wait'].includes(name)),
	readTool,
	editTool,
	writeTool,
	globTool,
	grepTool,
	bashTool,
	todoWriteTool,
];

async function runTool(spec: Spec, nonce: string, context: ToolContext, run: ToolRun): Promise<ToolOutput> {
	const { workspace } = context;
	if (!(workspace instanceof SimWorkspace)) throw new Error('No world.');
	const { world, life } = workspace;
	if (life.dead) return never();
	const { toolUseId, signal } = run;
	const { decisions } = world;
	begin(world, spec, nonce, toolUseId);
	const honours = world.peace || decisions.below(4) < 3;
	const steps = world.peace ? 0 : decisions.below(4);
	for (let step = 0; step < steps; step++) {
		await world.scheduler.turn(`${spec.name} ${nonce} works`);
		if (signal.aborted && honours) break;
		if (step === 1) run.progress({ kind: 'output', text: '.' });
	}
	world.running.delete(toolUseId);
	const outcome = world.peace
		? 'done'
		: decisions.weighted([
				[8, 'done'],
				[1, 'error'],
				[1, 'throws'],
				[1, 'blank'],
			]);
	world.note(`  ${spec.name} ${nonce} ends: ${outcome}`);
	if (outcome === 'throws') throw new Error(`a bug in ${nonce}`);
	const long = spec.long === 'sometimes' ? world.long : spec.long === true;
	const more = long && !world.peace ? longText(world) : '';
	if (isFile(nonce)) context.fileState.remember(`/w/${nonce}`, workspace.text(`/w/${nonce}`), false);
	const text = outcome === 'blank' ? ' ' : `did ${nonce}${more}`;
	const shows = spec.name === 'Read' && !world.peace && decisions.oneIn(10);
	const content = shows ? [{ type: 'text', text } as const, newImage(world)] : text;
	return { content, view: { kind: 'none' }, ...(outcome === 'error' ? { isError: true } : {}) };
}

function begin(world: World, spec: Pick<Spec, 'name' | 'safe'>, nonce: string, toolUseId: string): void {
	world.note(`  ${spec.name} ${nonce} (${toolUseId}) starts`);
	const before = world.ran.get(nonce) ?? 0;
	world.ran.set(nonce, before + 1);
	// A safe call of an answer that was taken back may come again with the answer; an unsafe one never.
	if (before > 0 && !(spec.safe && (world.resent.has(nonce) || isFile(nonce))))
		world.fail(`2: ${spec.name} ${nonce} ran twice`);
	if (world.stopped) world.fail(`5: ${spec.name} ${nonce} started after the stop`);
	if (!world.startedBy.has(nonce)) world.fail(`2: ${spec.name} ${nonce} ran before its start entry`);
	if (world.declined.has(toolUseId)) world.fail(`${spec.name} ${nonce} ran although it was declined`);
	// Those of a subagent go one after the other among themselves.
	if (nonce.startsWith('a')) {
		if (!spec.safe) world.agentActs(nonce);
		return;
	}
	for (const other of world.running.values()) {
		if (!spec.safe || !other.safe) world.fail(`5: ${spec.name} ${nonce} overlaps ${other.nonce}`);
	}
	if (world.running.size >= 10) world.fail('5: more than ten calls at once');
	if (!spec.safe) world.unsafeStarted.add(toolUseId);
	world.running.set(toolUseId, { nonce, safe: spec.safe });
}

/** No two are alike. */
export function newImage(world: World): ImageBlock {
	return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: imageData(++world.images) } };
}

/** Some calls ask for the same again and again. */
function isFile(nonce: string): boolean {
	return nonce.startsWith('f');
}

/** Sometimes long; in a small window often. */
function longText({ decisions, talk }: World): string {
	if (talk === 0 && !decisions.oneIn(3)) return '';
	return `\n${'lorem ipsum '.repeat(100 * (1 + talk) * decisions.below(8))}`;
}
