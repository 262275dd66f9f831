// Random sequences of what can happen to commands: run, leave in the background, stop, close the terminal, kill its process,
// type. After each nothing runs and no call is pending. LOOPWRIGHT_SHELL_SEQUENCES says how many, LOOPWRIGHT_SHELL_SEED where
// to begin.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { RunningCommand } from '../../../src/core/ports/shell.ts';
import type { TerminalShell } from '../../../src/host/terminal/terminalShell.ts';
import { marked, ourTerminals, temporaryFolder, terminalShell, until } from './support.ts';

const sequences = Number(process.env.LOOPWRIGHT_SHELL_SEQUENCES ?? 25);
const firstSeed = Number(process.env.LOOPWRIGHT_SHELL_SEED ?? 1);
const ENDS_WITHIN_MS = 20_000;

const commands = [
	'echo hi',
	'sleep 0.05; echo slept',
	'exit 3',
	'sleep 600',
	'sleep 600 & sleep 0.02; echo front',
	'(setsid nohup sleep 600 >/dev/null 2>&1 &) ; echo left',
	'sleep 600 | cat | cat',
	'(while :; do echo tick; sleep 0.01; done) & sleep 0.1; echo front',
	'yes 0123456789 | head -c 5000000',
	'yes',
	'read answer; echo "got $answer"',
	"trap 'echo caught; exit 5' INT TERM; sleep 600 & wait",
	'setsid sleep 600',
	'kill -9 $$',
	'cd / && exec sleep 600',
	'stty -echo; read secret; echo done',
	'bash -c "bash -c \'sleep 600 & sleep 600\'"',
];

/** Numbers from 0 to below 1, the same for the same seed. */
function randomOf(seed: number): () => number {
	let state = seed * 2_654_435_761;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

suite('shell sequences', () => {
	let shell: TerminalShell;
	let folder = '';
	let mark = '';
	suiteSetup(async function () {
		if (process.platform !== 'linux') this.skip();
		folder = temporaryFolder();
		shell = terminalShell();
		const { output } = await shell.start({ command: 'echo $LOOPWRIGHT_COMMAND', cwd: folder }).finished;
		mark = output.trim().replace(/\d+\.\d+$/, '');
	});
	suiteTeardown(async () => {
		await shell?.dispose();
		if (folder) rmSync(folder, { recursive: true, force: true });
		if (mark) assert.deepEqual(marked(mark), []);
	});

	test(`${sequences} random sequences end with no live child and no pending call`, async function () {
		this.timeout(sequences * 5000 + 60_000);
		this.retries(0);
		const start = Date.now();
		let calls = 0;
		for (let done = 1; done <= sequences; done++) {
			calls += await sequence(firstSeed + done - 1);
			if (done % 50 !== 0 && done !== sequences) continue;
			console.log(`  ${done} sequences, ${calls} commands, ${Math.round((Date.now() - start) / 1000)} s`);
		}
	});

	async function sequence(seed: number): Promise<number> {
		const random = randomOf(seed);
		const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
		const running: RunningCommand[] = [];
		const trace: string[] = [];
		for (let step = 3 + Math.floor(random() * 6); step > 0; step--) await act();
		for (const command of running) command.stop();
		const calls = running.flatMap(({ finished, gone }, at) => [
			[`${at} finished`, finished] as const,
			[`${at} gone`, gone] as const,
		]);
		const say = `seed ${seed}: ${trace.join('; ')}`;
		assert.deepEqual(await late(calls), [], say);
		await until(() => marked(mark).length === 0, `no process is left, ${say}`);
		return running.length;

		async function act(): Promise<void> {
			const choice = random();
			const terminal = pick(ourTerminals());
			if (choice < 0.45 || running.length === 0) {
				const command = pick(commands) ?? 'true';
				trace.push(command);
				running.push(shell.start({ command, cwd: folder, ...(random() < 0.1 ? { timeoutMs: 50 } : {}) }));
			} else if (choice < 0.6) {
				trace.push('STOP');
				pick(running)?.stop();
			} else if (choice < 0.68) {
				trace.push('CLOSE');
				terminal?.dispose();
			} else if (choice < 0.74) {
				trace.push('KILL');
				const pid = await terminal?.processId;
				if (pid !== undefined && pid > 1 && terminal?.exitStatus === undefined) kill(pid);
			} else if (choice < 0.88) {
				const text = pick(['yes', '\u0003', '\u0004', '\u001a', 'exit']) ?? '';
				trace.push(`TYPE ${JSON.stringify(text)}`);
				try {
					terminal?.sendText(text, random() < 0.5);
				} catch {
					// It was closed a moment ago: nobody can type into it any more.
					trace.push('(closed)');
				}
			}
			if (random() < 0.7) await new Promise((resolve) => setTimeout(resolve, random() * 80));
		}
	}

	function kill(pid: number): void {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended meanwhile.
		}
	}

	/** Those that have not ended in time. */
	async function late(calls: readonly (readonly [string, Promise<unknown>])[]): Promise<string[]> {
		const open = new Set(calls.map(([name]) => name));
		const limit = new Promise((resolve) => setTimeout(resolve, ENDS_WITHIN_MS));
		await Promise.race([Promise.all(calls.map(([name, call]) => call.then(() => open.delete(name)))), limit]);
		return [...open];
	}
});
