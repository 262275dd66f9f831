// Kills the real headless runner at random moments of a long session, resumes it, and compares what is left with an undisturbed
// run: files, commands, and a transcript in which nothing was started twice.
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEntry } from '../../src/core/messages/journal.ts';
import { startMockServer, type MockServer } from '../support/mockServer.ts';
import { Headless, type Finished } from '../unit/headless/support.ts';
import { entriesOf, hasHeard, isDone, problemsOf, randomFrom, type Place } from './outcome.ts';
import { crashPrompt, play } from './script.ts';

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
		const entries = () => entriesOf(placeOf(headless), sessionId);
		for (let resume = 0; !isDone(entries()) && resume < mostResumes; resume++)
			ended = await headless.run(goOn(entries()));
		return [
			...problemsOf(placeOf(headless), entries()),
			...server.violations.map((violation) => JSON.stringify(violation)),
		].map((problem) => `${problem}\n${ended.stdout}${ended.stderr}`);
	} catch (error) {
		return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
	} finally {
		headless.dispose();
	}
}

/** What a person would do: say it again where it was not heard, else let it go on. */
function goOn(entries: readonly StoredEntry[]): readonly string[] {
	if (entries.length === 0) return ['-p', crashPrompt, '--session-id', sessionId, ...rights];
	return ['--resume', sessionId, ...(hasHeard(entries) ? [] : ['-p', crashPrompt]), ...rights];
}

function placeOf({ cwd, home }: Headless): Place {
	return { cwd, home };
}
