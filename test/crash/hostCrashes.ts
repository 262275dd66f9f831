// Kills the extension host of a real workbench at random moments of the scripted session, lets it start again, goes on as a person
// would, and compares what is left with an undisturbed run. One workbench for many sessions, which it plays one after the other.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectFolder } from '../../src/node/sessions/paths.ts';
import type { Workbench } from '../e2e/harness/workbench.ts';
import { poll } from '../e2e/harness/workbenchPage.ts';
import { entriesOf, hasHeard, isDone, problemsOf, randomFrom, type Place } from './outcome.ts';
import { crashPrompt } from './script.ts';

export interface HostCrashOrder {
	/** Opened with `crashSettings`, in an empty folder, with a home that `prepareHome` made. */
	readonly bench: Workbench;
	readonly kills: number;
	/** At most so many in one session. */
	readonly killsPerSession: number;
	/** The same seed kills at the same moments, as far as two runs are alike. */
	readonly seed: number;
	/** Stops before the next session when so many milliseconds are over. */
	readonly limitMs?: number;
	readonly tell: (line: string) => void;
}

export interface HostCrashes {
	/** How often the extension host was killed. */
	readonly kills: number;
	/** None is what it should be. */
	readonly problems: readonly string[];
}

export const crashSettings = { 'loopwright.permissionMode': 'acceptEdits' };

const longestMs = 60_000;
/** What a person needs to see that something stands still. */
const patienceMs = 300;
/** Beside what the session makes. */
const ownFiles = ['.gitignore'];

/** Commands run without being asked for, so that nobody has to answer. */
export function prepareHome(home: string): void {
	const folder = path.join(home, '.loopwright');
	mkdirSync(folder, { recursive: true });
	writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ permissions: { allow: ['Bash'] } }));
}

export async function crashHost(order: HostCrashOrder): Promise<HostCrashes> {
	const { bench, killsPerSession, seed, limitMs = Infinity, tell } = order;
	const random = randomFrom(seed);
	const end = performance.now() + limitMs;
	const kill = killer(bench);
	const undisturbed = await new Session(bench, kill).play([]);
	tell(`undisturbed: ${Math.round(undisturbed.ms)} ms`);
	let kills = 0;
	let problems: readonly string[] = undisturbed.problems;
	while (kills < order.kills && problems.length === 0 && performance.now() < end) {
		const times = Math.min(1 + Math.floor(random() * killsPerSession), order.kills - kills);
		const moments = Array.from({ length: times }, () => Math.round((random() * undisturbed.ms) / times));
		const played = await new Session(bench, kill).play(moments);
		const where = `seed ${seed}, kills ${kills + 1} to ${kills + times}, ${moments.join(' + ')} ms`;
		kills += played.kills;
		problems = played.problems.map((problem) => `${where}: ${problem}`);
		tell(`${kills} of ${order.kills} kills (${where}: ${Math.round(played.ms)} ms)`);
	}
	return { kills, problems };
}

/** VS Code starts a killed extension host again by itself twice; then the window is reloaded, and all begins anew. */
function killer(bench: Workbench): () => Promise<void> {
	let times = 0;
	return () => bench.killExtensionHost({ reload: ++times % 3 === 0 });
}

interface Played {
	readonly ms: number;
	readonly kills: number;
	readonly problems: readonly string[];
}

/** One session from its beginning to its end. */
class Session {
	private readonly bench: Workbench;
	private readonly place: Place;
	private readonly before: ReadonlySet<string>;
	private readonly kill: () => Promise<void>;

	constructor(bench: Workbench, kill: () => Promise<void>) {
		this.bench = bench;
		this.kill = kill;
		this.place = { cwd: bench.folder, home: path.join(bench.home, '.loopwright') };
		this.before = new Set(this.stored());
	}

	/** `moments`: milliseconds from a beginning, or a going on, to the next kill. */
	async play(moments: readonly number[]): Promise<Played> {
		const { bench } = this;
		for (const name of readdirSync(bench.folder)) {
			if (!ownFiles.includes(name)) rmSync(path.join(bench.folder, name), { recursive: true, force: true });
		}
		if (this.before.size > 0) await bench.runCommand('Loopwright: New Conversation');
		await (await bench.articles('You')).first().waitFor({ state: 'detached' });
		const began = performance.now();
		await bench.submit(crashPrompt);
		let kills = 0;
		for (const moment of moments) {
			await pause(moment);
			await this.kill();
			kills++;
			await this.goOn();
		}
		const ended = await poll(longestMs, async () => {
			if (isDone(this.entries())) return true;
			await this.goOn(patienceMs);
			return undefined;
		});
		const ms = performance.now() - began;
		const problems = [...problemsOf(this.place, this.entries(), ownFiles), ...this.stray()];
		if (!ended) problems.push(await bench.describe());
		return { ms, kills, problems };
	}

	/** What a person would do: says it again where it was not heard, else lets it go on. */
	private async goOn(patience = longestMs): Promise<void> {
		await poll(patience, async () => {
			const panel = await this.bench.panel().catch(() => undefined);
			const status = await this.bench.status().catch(() => '');
			if (!panel || status === '') return undefined;
			if (isDone(this.entries())) return true;
			const goOn = panel.getByRole('button', { name: 'Continue', exact: true });
			if (await goOn.isVisible().catch(() => false)) {
				return await goOn.click({ timeout: 1000 }).then(
					() => true,
					() => undefined,
				);
			}
			if (status !== 'Ready' || hasHeard(this.entries())) return undefined;
			return await this.bench.submit(crashPrompt).then(
				() => true,
				() => undefined,
			);
		});
	}

	private stored(): readonly string[] {
		try {
			const names = readdirSync(projectFolder(this.place.home, this.place.cwd));
			return names.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length));
		} catch {
			return [];
		}
	}

	/** Of the session that heard the person. */
	private entries() {
		const fresh = this.stored().filter((id) => !this.before.has(id));
		const all = fresh.map((id) => entriesOf(this.place, id));
		return all.find(hasHeard) ?? all[0] ?? [];
	}

	/** The person spoke once, in one session. */
	private stray(): readonly string[] {
		const fresh = this.stored().filter((id) => !this.before.has(id) && hasHeard(entriesOf(this.place, id)));
		return fresh.length === 1 ? [] : [`sessions: ${fresh.join(', ')} instead of one`];
	}
}
