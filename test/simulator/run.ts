// One run of the simulator: a world, an engine in it, a person; then steps until the person has had enough, and at last the
// proof that the session can be resumed and goes on (invariants 4 and 6).
import { isDeepStrictEqual } from 'node:util';
import { loadSession } from '../../src/core/session/resume.ts';
import { ApiModel } from './apiModel.ts';
import { Decisions } from './decisions.ts';
import type { Kinds, Setup } from './engine.ts';
import { factsOf, randomSetup, servedModels } from './engine.ts';
import { Person } from './person.ts';
import { RequestChecks } from './requestChecks.ts';
import { settled } from './scheduler.ts';
import { World } from './world.ts';

/** Steps of a whole run, and requests of one exchange: no script is generous enough for more. */
const maxSteps = 6000;
const maxRequests = 250;

export interface Outcome {
	readonly failure: string | undefined;
	readonly decisions: readonly number[];
	readonly trace: readonly string[];
	readonly requests: number;
	readonly steps: number;
	/** Stages, changes and ends, and how often each was reached. */
	readonly reached: ReadonlyMap<string, number>;
}

/** `source`: a seed, or the decisions of an earlier run. `long`, `files`, `agents`: whatever the seed would choose. */
export async function simulate(
	source: number | readonly number[],
	{ traced = false, long = false, files = false, agents = false }: Partial<Kinds> & { readonly traced?: boolean } = {},
): Promise<Outcome> {
	const trace: string[] | undefined = traced ? [] : undefined;
	const decisions = new Decisions(source);
	const world = new World(decisions, trace);
	let steps = 0;
	try {
		const setup = randomSetup(world, { long, files, agents });
		world.note(JSON.stringify({ ...setup.settings, window: setup.window }));
		const checks = new RequestChecks(world, servedModels(setup));
		const person = new Person(world, new ApiModel(world, checks, factsOf(setup)), setup);
		steps = await live(world, person);
		if (world.failure === undefined) await proveThatItGoesOn(world, person, setup);
		checks.atTheEnd();
	} catch (error) {
		world.fail(`the simulator threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	}
	const { failure, allRequests: requests, pipeline } = world;
	return { failure, decisions: decisions.taken, trace: trace ?? [], requests, steps, reached: pipeline.reached };
}

async function live(world: World, person: Person): Promise<number> {
	const { decisions, scheduler } = world;
	const actsOnceIn = world.long ? decisions.pick([0, 300, 150]) : decisions.pick([0, 60, 25, 10]);
	const mostMoves = (world.long ? 10 : 1) + decisions.below(10);
	let moves = 0;
	for (let step = 0; step < maxSteps; step++) {
		await settled();
		check(world, person);
		if (world.failure !== undefined) return step;
		if (person.killed) person.restart();
		else if (person.idle) {
			if (moves++ >= mostMoves || !person.next()) return step;
		} else if (actsOnceIn > 0 && decisions.oneIn(actsOnceIn)) person.act();
		else if (!scheduler.step()) world.fail('4: it hangs: nothing is left to wait for');
	}
	world.fail(`4: it did not end after ${maxSteps} steps`);
	return maxSteps;
}

function check(world: World, person: Person): void {
	if (world.requests > maxRequests) world.fail(`4: ${world.requests} requests in one exchange`);
	if (!person.killed) person.checkQueue();
}

/** A restart from the transcript, and a prompt that must be answered. */
async function proveThatItGoesOn(world: World, person: Person, setup: Setup): Promise<void> {
	const { decisions } = world;
	world.note('at the end:');
	checkTranscript(world, person);
	world.peace = true;
	person.calm();
	const how = decisions.pick(['submit', 'restart', 'resume']);
	if (how !== 'submit') person.restart();
	if (how === 'resume' && person.conversation.interrupted) {
		person.resume();
		await finish(world, person);
	}
	world.lastWords = true;
	person.submit();
	await finish(world, person);
	const reason = person.terminal?.reason;
	const small = setup.window < 100_000 && /blocking_limit|prompt_too_long|rapid_refill/.test(reason ?? '');
	if (reason !== 'completed' && !small) world.fail(`6: in the end the exchange ended with ${reason}`);
	await settled();
	check(world, person);
	world.checkFinished();
	checkTranscript(world, person);
}

async function finish(world: World, person: Person): Promise<void> {
	for (let step = 0; step < 500 && world.failure === undefined; step++) {
		await settled();
		check(world, person);
		if (person.idle) return;
		if (!world.scheduler.step()) world.fail('4: it hangs at the end');
	}
	if (!person.idle) world.fail('4: it did not end');
}

/** What the engine holds is what the transcript says. */
function checkTranscript(world: World, person: Person): void {
	if (!person.idle || person.killed) return;
	const loaded = loadSession(world.entries);
	const { messages } = person.conversation;
	const plain = (list: typeof messages) => list.map(({ id, role, content }) => ({ id, role, content }));
	if (!isDeepStrictEqual(plain(loaded.messages), plain(messages))) {
		world.fail(
			`6: the transcript says\n${JSON.stringify(plain(loaded.messages))}\nand the engine\n${JSON.stringify(plain(messages))}`,
		);
	}
}
