// The tools of a run. What each does is decided as it runs; what it did is written into the world and checked there: each
// call runs once, only after its start entry, never when declined, and an unsafe one alone (invariants 2 and 5).
import { z } from 'zod';
import type { Tool, ToolContext, ToolOutput, ToolRun } from '../../src/core/tools/tool.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import type { Life, World } from './world.ts';
import { never } from './world.ts';

/** The workspace port of one life; tools find their world by it. */
export class SimWorkspace {
	readonly roots = ['/w'];
	readonly world: World;
	readonly life: Life;

	constructor(world: World, life: Life) {
		this.world = world;
		this.life = life;
	}

	read(path: string) {
		return Promise.resolve({ kind: 'text', text: `The file ${path}.`, unsaved: false } as const);
	}
	stat() {
		return Promise.resolve(undefined);
	}
	change() {
		return Promise.resolve({ kind: 'failed', message: 'no changes here' } as const);
	}
	realPath(path: string) {
		return Promise.resolve(path);
	}
	list() {
		return Promise.resolve([]);
	}
}

interface Spec {
	readonly name: string;
	readonly safe: boolean;
	readonly interrupt?: 'cancel';
	/** Asks the person. */
	readonly asks?: true;
	/** Gives long results. */
	readonly long?: true;
}

const specs: readonly Spec[] = [
	{ name: 'Look', safe: true },
	{ name: 'Do', safe: false, asks: true },
	{ name: 'Set', safe: false },
	{ name: 'Read', safe: true, long: true },
	{ name: 'Grep', safe: true },
	{ name: 'Wait', safe: true, interrupt: 'cancel' },
	{ name: 'Bash', safe: false, asks: true },
];

export const tools: readonly Tool[] = specs.map((spec) =>
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
	const more = spec.long && !world.peace ? longText(world) : '';
	const content = outcome === 'blank' ? ' ' : `did ${nonce}${more}`;
	return { content, view: { kind: 'none' }, ...(outcome === 'error' ? { isError: true } : {}) };
}

function begin(world: World, spec: Spec, nonce: string, toolUseId: string): void {
	world.note(`  ${spec.name} ${nonce} (${toolUseId}) starts`);
	const before = world.ran.get(nonce) ?? 0;
	world.ran.set(nonce, before + 1);
	// A safe call of an answer that was taken back may come again with the answer; an unsafe one never.
	if (before > 0 && !(spec.safe && world.resent.has(nonce))) world.fail(`2: ${spec.name} ${nonce} ran twice`);
	if (world.stopped) world.fail(`5: ${spec.name} ${nonce} started after the stop`);
	if (!world.startEntries.has(toolUseId)) world.fail(`2: ${spec.name} ${nonce} ran before its start entry`);
	if (world.declined.has(toolUseId)) world.fail(`${spec.name} ${nonce} ran although it was declined`);
	for (const other of world.running.values()) {
		if (!spec.safe || !other.safe) world.fail(`5: ${spec.name} ${nonce} overlaps ${other.nonce}`);
	}
	if (world.running.size >= 10) world.fail('5: more than ten calls at once');
	if (!spec.safe) world.unsafeStarted.add(toolUseId);
	world.running.set(toolUseId, { nonce, safe: spec.safe });
}

/** Sometimes long; in a small window often. */
function longText({ decisions, talk }: World): string {
	if (talk === 0 && !decisions.oneIn(3)) return '';
	return `\n${'lorem ipsum '.repeat(100 * (1 + talk) * decisions.below(8))}`;
}
