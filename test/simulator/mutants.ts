// Shows that the simulator would notice: for each promise the source is broken on purpose, in a copy, and the simulator runs
// until it finds a seed that tells. A break that does not match its source exactly once fails, and so does one that survives.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

interface Mutant {
	readonly name: string;
	/** Below `src/core`. */
	readonly file: string;
	readonly find: string;
	readonly put: string;
}

const mutants: readonly Mutant[] = [
	{
		name: 'results are not put behind their calls',
		file: 'messages/toRequest.ts',
		find: "if (calls.size > 0) push(params, 'user', results(calls, followingUsers(messages, at), memo));",
		put: '',
	},
	{
		name: 'no lock in the executor',
		file: 'tools/streamingToolExecutor.ts',
		find: 'return call.safe && executing.length < cap && executing.every((other) => other.safe);',
		put: 'return true;',
	},
	{
		name: 'retries repeat what has finished',
		file: 'model/callModel.ts',
		find: 'answer.finishedBlocks === 0 && ',
		put: '',
	},
	{
		name: 'the calls of an answer that is taken back go on',
		file: 'loop/retract.ts',
		find: 'turn.executor.discard();',
		put: '',
	},
	{
		name: 'an answer is taken back although an unsafe call has started',
		file: 'loop/recovery.ts',
		find: 'const keeps = !mayBeRepeated(turn);',
		put: 'const keeps = false;',
	},
	{
		name: 'a resumed answer is taken back although its calls had started',
		file: 'loop/turn.ts',
		find: ' && known.size === 0;',
		put: ';',
	},
	{
		name: 'no bound on paused answers',
		file: 'loop/recovery.ts',
		find: ' && state.guards.pauseTurnResumes < limits.pauseTurnResumes',
		put: '',
	},
	{
		name: 'no bound on answers cut by the output limit',
		file: 'loop/recovery.ts',
		find: 'if (state.maxOutputTokensRecoveryCount >= limits.outputLimitRecoveries) return undefined;',
		put: '',
	},
	{
		name: 'no bound on empty answers',
		file: 'loop/recovery.ts',
		find: 'spoke || state.guards.emptyAnswerRetried ||',
		put: 'spoke ||',
	},
	{
		name: 'no bound on calls that cannot run',
		file: 'loop/collectResults.ts',
		find: 'if (guards.malformedTurns >= limits.malformedTurns) {',
		put: 'if (guards.malformedTurns < 0) {',
	},
	{
		name: 'a resumed session runs again what had started',
		file: 'session/resume.ts',
		find: 'if (!started.has(call.id)) return undefined;',
		put: 'if (started.size >= 0) return undefined;',
	},
	{
		name: 'results come out as they finish',
		file: 'tools/streamingToolExecutor.ts',
		find: 'let call = this.calls[this.head];',
		put: "let call = this.calls.find(({ status }) => status === 'completed');",
	},
	{
		name: 'a queued prompt is dropped',
		file: 'loop/attachments.ts',
		find: 'let prompt = params.queue.take();',
		put: 'let prompt = (params.queue.take(), params.queue.take());',
	},
	{
		name: 'a compaction forgets what the person said',
		file: 'context/summaryMessage.ts',
		find: 'const words = await repeatedWords(messages, end, deps);',
		put: 'const words = undefined as string | undefined;',
	},
	{
		name: 'thinking is sent to another model',
		file: 'loop/prepareRequest.ts',
		find: 'const foreign = foreignThinking(state, params);',
		put: 'const foreign: readonly ProjectionChange[] = [];',
	},
	{
		name: 'a tombstone does not count on load',
		file: 'session/resume.ts',
		find: 'drafts.get(entry.messageId)?.blocks.clear();',
		put: '',
	},
	{
		name: 'the start entry is written after the start',
		file: 'tools/runToolUse.ts',
		find: "await deps.journal.append({ type: 'tool_start',",
		put: "void (async (entry: Parameters<typeof deps.journal.append>[0]) => { await null; await deps.journal.append(entry); })({ type: 'tool_start',",
	},
	{
		name: 'the same call twice in one answer runs twice',
		file: 'loop/toolIds.ts',
		find: 'twins.some((twin) => sameCall(twin, block))',
		put: 'twins.length < 0',
	},
	{
		name: 'changes of what is sent are not written down',
		file: 'loop/record.ts',
		find: "await params.deps.journal.append({ type: 'projection', change });",
		put: '',
	},
	{
		name: 'a stopped executor starts what is queued',
		file: 'tools/streamingToolExecutor.ts',
		find: 'this.closedBy ??= reason;',
		put: '',
	},
	{
		name: 'a failure is shown before it is recovered',
		file: 'loop/recovery.ts',
		find: '// Refused in mid-stream, after calls: they are answered in phase 4.',
		put: "yield { type: 'model_error', failure };",
	},
	{
		name: 'a declined call runs',
		file: 'tools/runToolUse.ts',
		find: "if (decision.behavior === 'deny') {",
		put: "if (decision.behavior === 'deny' && decision.stopped) {",
	},
	{
		name: 'what a crash left open is forgotten by the next prompt',
		file: 'session/queryEngine.ts',
		find: 'const left = this.pending ? closePending(this.pending) : [];',
		put: 'const left: readonly Message[] = [];',
	},
];

/** The table, as lines of Markdown; `ok`: all were caught. */
export function runMutants(
	root: string,
	{ seconds, only = '' }: { readonly seconds: number; readonly only?: string | undefined },
	onLine: (line: string) => void,
): { readonly ok: boolean; readonly table: readonly string[] } {
	const folder = mkdtempSync(path.join(tmpdir(), 'loopwright-mutants-'));
	const table = ['| break | seed | runs | promise |', '|---|---|---|---|'];
	let ok = true;
	try {
		for (const part of ['src', 'test/support', 'test/simulator', 'package.json', 'tsconfig.base.json']) {
			cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
		}
		symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'dir');
		for (const mutant of mutants.filter(({ name }) => name.includes(only))) {
			const outcome = runMutant(mutant, folder, seconds);
			ok &&= outcome.caught;
			const line = `| ${mutant.name} | ${outcome.cells} |`;
			table.push(line);
			onLine(line);
		}
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
	return { ok, table };
}

function runMutant(
	{ file, find, put }: Mutant,
	folder: string,
	seconds: number,
): { readonly caught: boolean; readonly cells: string } {
	const target = path.join(folder, 'src/core', file);
	const source = readFileSync(target, 'utf8');
	const matches = source.split(find).length - 1;
	if (matches !== 1) return { caught: false, cells: `- | - | THE BREAK MATCHES ${matches} TIMES in ${file}` };
	writeFileSync(
		target,
		source.replace(find, () => put),
	);
	try {
		const args = ['--import', 'tsx', 'test/simulator/cli.ts', '--brief', '--runs', '1000000'];
		const { stdout, stderr } = spawnSync(process.execPath, [...args, '--seconds', String(seconds)], {
			cwd: folder,
			encoding: 'utf8',
			timeout: (seconds + 60) * 1000,
		});
		const found = /^seed (\d+): (.*)$/m.exec(stdout);
		const runs = /: (\d+) runs/.exec(stdout)?.[1] ?? '?';
		if (!found) return { caught: false, cells: `- | ${runs} | SURVIVED ${stderr.trim().slice(-200)}` };
		return { caught: true, cells: `${found[1]} | ${runs} | ${found[2]?.slice(0, 110).replaceAll('|', '/')} ` };
	} finally {
		writeFileSync(target, source);
	}
}
