// Kills the real headless runner at random moments of a long session, resumes it, and compares what is left with an undisturbed
// run: files, commands, and a transcript in which nothing was started twice.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectSlug } from '../../src/node/sessions/paths.ts';
import { parseTranscript } from '../../src/node/sessions/transcriptFile.ts';
import { startMockServer, type MockServer } from '../support/mockServer.ts';
import { Headless, type Finished } from '../unit/headless/support.ts';
import { crashPrompt, expected, lastWords, play } from './script.ts';

export interface CrashOrder {
	/** Of the runner's bundle. */
	readonly script: string;
	readonly kills: number;
	/** The same seed kills at the same moments, as far as two runs are alike. */
	readonly seed: number;
	readonly tell: (line: string) => void;
}

const sessionId = '00000000-0000-4000-8000-000000000001';
const rights = ['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash'];
const mostResumes = 10;

/** The problems that were found; none is what it should be. */
export async function crash({ script, kills, seed, tell }: CrashOrder): Promise<readonly string[]> {
	const server = await startMockServer(play);
	const random = randomFrom(seed);
	const problems: string[] = [];
	try {
		const began = performance.now();
		problems.push(...(await trial(script, server, undefined)));
		const wholeMs = performance.now() - began;
		tell(`undisturbed: ${Math.round(wholeMs)} ms`);
		for (let kill = 1; kill <= kills && problems.length === 0; kill++) {
			const afterMs = Math.round(random() * wholeMs);
			const found = await trial(script, server, afterMs);
			problems.push(...found.map((problem) => `kill ${kill} (seed ${seed}) after ${afterMs} ms: ${problem}`));
			if (kill % 10 === 0) tell(`${kill} of ${kills} kills`);
		}
	} finally {
		await server.close();
	}
	return problems;
}

/** One session from its beginning to its end, killed once unless `afterMs` is undefined. */
async function trial(script: string, server: MockServer, afterMs: number | undefined): Promise<readonly string[]> {
	server.reset();
	server.setScript(play);
	const headless = new Headless(script, server.url);
	try {
		const first = headless.start(['-p', crashPrompt, '--session-id', sessionId, ...rights]);
		if (afterMs !== undefined) {
			await Promise.race([pause(afterMs), first.finished]);
			first.process.kill('SIGKILL');
		}
		let ended: Finished = await first.finished;
		for (let resume = 0; !isDone(headless) && resume < mostResumes; resume++)
			ended = await headless.run(goOn(headless));
		return [...problemsOf(headless), ...server.violations.map((violation) => JSON.stringify(violation))].map(
			(problem) => `${problem}\n${ended.stdout}${ended.stderr}`,
		);
	} catch (error) {
		return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
	} finally {
		headless.dispose();
	}
}

/** What a person would do: say it again where it was not heard, else let it go on. */
function goOn(headless: Headless): readonly string[] {
	if (!existsSync(fileOf(headless))) return ['-p', crashPrompt, '--session-id', sessionId, ...rights];
	const heard = entriesOf(headless).some((entry) => entry.type === 'user' && entry.message.origin === 'prompt');
	return ['--resume', sessionId, ...(heard ? [] : ['-p', crashPrompt]), ...rights];
}

function isDone(headless: Headless): boolean {
	const last = entriesOf(headless).findLast(({ type }) => type === 'exchange_end');
	return last !== undefined && JSON.stringify(entriesOf(headless)).includes(lastWords);
}

function problemsOf(headless: Headless): readonly string[] {
	const problems: string[] = [];
	const same = (what: string, is: unknown, shouldBe: unknown) => {
		if (JSON.stringify(is) !== JSON.stringify(shouldBe)) {
			problems.push(`${what}: ${JSON.stringify(is)} instead of ${JSON.stringify(shouldBe)}`);
		}
	};
	if (!isDone(headless)) problems.push('it did not come to its end');
	const read = (file: string) => {
		const whole = path.join(headless.cwd, file);
		return existsSync(whole) ? readFileSync(whole, 'utf8') : '';
	};
	// Commands of one answer may change places when the first of them was interrupted.
	same('commands', read('log.txt').split('\n').filter(Boolean).toSorted(), expected.log.toSorted());
	for (const [file, content] of Object.entries(expected.files)) same(file, read(file), content);
	same('files', readdirSync(headless.cwd).toSorted(), ['a.txt', 'b.txt', 'c.txt', 'log.txt']);
	const starts = entriesOf(headless).flatMap((entry) => (entry.type === 'tool_start' ? [entry.toolUseId] : []));
	same('starts', starts.length, new Set(starts).size);
	return problems;
}

function entriesOf(headless: Headless) {
	const file = fileOf(headless);
	return existsSync(file) ? parseTranscript(readFileSync(file, 'utf8')).entries : [];
}

function fileOf(headless: Headless): string {
	const folder = path.join(headless.home, 'projects', projectSlug(headless.cwd));
	return path.join(folder, `${sessionId}.jsonl`);
}

/** A small generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
