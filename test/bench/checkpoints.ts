// How long the agent waits for checkpoints in a turn that touches twenty files: by edit tools, by a command whose text names them,
// and by a command after as many reads. Never fails on a figure. Usage: node --import tsx test/bench/checkpoints.ts [RUNS]
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CheckpointRecorder } from '../../src/core/checkpoints/recorder.ts';
import type { RunningCommand, Shell } from '../../src/core/ports/shell.ts';
import { BlobStore } from '../../src/node/checkpoints/blobStore.ts';
import { CheckpointFile } from '../../src/node/checkpoints/checkpointFile.ts';
import { DiskImages } from '../../src/node/checkpoints/diskImages.ts';
import { recordSession } from '../../src/node/checkpoints/recordSession.ts';
import { TreeSitterShellParser } from '../../src/node/shellParser/treeSitterShellParser.ts';
import { NodeWorkspace } from '../../src/node/workspace/nodeWorkspace.ts';
import { grammars } from '../support/shellAnalysis.ts';

const runs = Math.max(5, Number(process.argv[2]) || 30);
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'checkpoints-bench-')));
const root = path.join(base, 'project');
mkdirSync(root);
const names = Array.from({ length: 20 }, (_, file) => `f${file}.ts`);
const files = names.map((name) => path.join(root, name));
const list = path.join(base, 'checkpoints.jsonl');
const images = new DiskImages(new BlobStore(path.join(base, 'home')));
const index = new CheckpointFile(list, (error) => assert.fail(String(error)));
const shellParser = new TreeSitterShellParser(grammars);
const ended: RunningCommand = {
	pid: undefined,
	finished: Promise.resolve({ outcome: 'exited', exitCode: 0, output: '', omitted: 0, durationMs: 0 }),
	gone: Promise.resolve(),
	stop() {},
};
const shell: Shell = { name: 'bash', start: () => ended, dispose: () => Promise.resolve() };

/** Bytes that nobody has kept yet. */
let made = 0;
function write(file: string, bytes: number): void {
	const line = `// ${++made}\n`;
	writeFileSync(file, line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes));
}

/** What the recorder takes of a turn's edits; the edits themselves are not counted. */
async function edits(bytes: number): Promise<number> {
	for (const file of files) write(file, bytes);
	const recorder = new CheckpointRecorder({ index, images });
	recorder.promptTaken('p1');
	let took = 0;
	for (const file of files) {
		let begun = performance.now();
		const settle = await recorder.before(file);
		took += performance.now() - begun;
		write(file, bytes);
		begun = performance.now();
		await settle(true);
		took += performance.now() - begun;
	}
	return took;
}

/** What a command waits for, from its call to its start and from its end to its result, its analysis included. */
async function command(bytes: number, text: string, reads: readonly string[]): Promise<number> {
	for (const file of files) write(file, bytes);
	const { parts, watch } = recordSession(
		{
			workspace: new NodeWorkspace({ roots: [root] }),
			shell,
			journal: { append: () => Promise.resolve() },
		},
		{
			index,
			images,
			disk: images,
			shellParser,
			entries: [],
			trusted: () => true,
			openFiles: () => [],
			savedByPerson: () => false,
			promptTaken: () => {},
		},
	);
	watch.begin();
	await watch.settled();
	for (const file of reads) await parts.workspace.read(file);
	const begun = performance.now();
	await parts.shell.start({ command: text, cwd: root }).finished;
	const took = performance.now() - begun;
	await watch.settled();
	return took;
}

async function measure(what: string, run: () => Promise<number>): Promise<void> {
	for (let warm = 0; warm < 3; warm++) await run();
	const times: number[] = [];
	for (let round = 0; round < runs; round++) times.push(await run());
	times.sort((one, other) => one - other);
	const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
	console.log(`${what.padEnd(44)} median ${at(0.5)} ms, nine in ten ${at(0.9)} ms, worst ${at(1)} ms`);
}

async function main(): Promise<void> {
	for (const bytes of [4_000, 60_000, 1_000_000]) {
		const size = `20 files of ${bytes / 1000} kB`;
		await measure(`${size}, edit tools`, () => edits(bytes));
		const before = statSync(list).size;
		await measure(`${size}, named by a command`, () => command(bytes, `sed -i s/a/b/ ${names.join(' ')}`, []));
		assert.ok(statSync(list).size > before, 'the command has no checkpoints');
		await measure(`${size}, read before a command`, () => command(bytes, 'npm install', files));
	}
}

void main().finally(() => rmSync(base, { recursive: true, force: true }));
