// The streaming tool executor against its promises (loop.md 7): every call is answered exactly once and in order, safe
// calls overlap, an unsafe call never overlaps anything, whatever the timing; stops and retractions included.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createRegistry } from '../../src/core/tools/registry.ts';
import { StreamingToolExecutor } from '../../src/core/tools/streamingToolExecutor.ts';
import type { ToolEvent } from '../../src/core/tools/toolEvents.ts';
import { drain, runTools } from '../../src/core/tools/runTools.ts';
import { Wakeup } from '../../src/core/util/wakeup.ts';
import { bareContext, fakeTool, FakeJournal, said, toolDeps, toolUse } from '../support/fakeTools.ts';

const kinds = [
	'safe',
	'unsafe',
	/** Safe until the person changes it, when it is allowed. */
	'changed',
	'failing',
	'throwing',
	'denied',
	/** Asked for before its turn. */
	'proposed',
	'refusedAhead',
	'unknown',
	'invalid',
	'bash_fails',
] as const;
type Kind = (typeof kinds)[number];
const quiet = kinds.filter((kind) => kind !== 'bash_fails');

/** Records who runs beside whom, and lets the scheduler decide when each step of a run happens. */
function world(scheduler: fc.Scheduler) {
	const running = new Map<string, boolean>();
	const runs: string[] = [];
	const problems: string[] = [];
	const run = async (id: string, safe: boolean, failing: boolean) => {
		if (runs.includes(id)) problems.push(`${id} ran twice`);
		runs.push(id);
		for (const [other, otherSafe] of running) {
			if (!safe || !otherSafe) problems.push(`${id} overlaps ${other}`);
		}
		running.set(id, safe);
		if (running.size > 10) problems.push(`${running.size} calls at once`);
		await scheduler.schedule(Promise.resolve(), `run ${id}`);
		running.delete(id);
		return failing ? { ...said(`failed ${id}`), isError: true } : said(`ok ${id}`);
	};
	const tool = (name: string, safe: boolean, failing = false) =>
		fakeTool({ name, safe, run: ({ id }) => run(id, safe, failing) });
	const tools = createRegistry([
		tool('safe', true),
		tool('unsafe', false),
		fakeTool({
			name: 'changed',
			safe: ({ id }) => !id.endsWith('!'),
			run: ({ id }) => run(id.replace('!', ''), false, false),
		}),
		tool('failing', true, true),
		tool('denied', false),
		fakeTool({ name: 'proposed', ahead: true, run: ({ id }) => run(id, false, false) }),
		fakeTool({ name: 'refusedAhead', ahead: true, run: ({ id }) => run(id, false, false) }),
		tool('Bash', true, true),
		fakeTool({ name: 'throwing', safe: true, run: () => Promise.reject(new Error('a bug')) }),
	]);
	const deps = toolDeps({
		journal: new FakeJournal(),
		decide: async ({ toolUse: call, answered }) => {
			await scheduler.schedule(Promise.resolve(), `permission ${call.id}`);
			if (call.name === 'changed' && !answered) return { behavior: 'allow', input: { id: `${call.id}!` } };
			return ['denied', 'refusedAhead'].includes(call.name)
				? { behavior: 'deny', message: 'no' }
				: { behavior: 'allow' };
		},
	});
	return { tools, deps, runs, problems };
}

function call(kind: Kind, index: number) {
	const id = `t${index}`;
	if (kind === 'invalid') return toolUse('safe', id, {});
	return toolUse(kind === 'bash_fails' ? 'Bash' : kind, id);
}

function ends(events: readonly ToolEvent[]) {
	return events.flatMap((event) => (event.type === 'tool_end' ? [event] : []));
}

suite('streaming tool executor', () => {
	test('answers every call exactly once, in order, and never lets an unsafe call overlap', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.constantFrom(...quiet), { maxLength: 25 }),
				async (scheduler, list) => {
					const { tools, deps, runs, problems } = world(scheduler);
					const calls = list.map(call);
					const events: ToolEvent[] = [];
					const done = (async () => {
						for await (const event of runTools(calls, {
							tools,
							deps,
							context: bareContext(),
							signal: new AbortController().signal,
						})) {
							events.push(event);
						}
					})();
					await scheduler.waitFor(done);
					assert.deepEqual(problems, []);
					assert.deepEqual(
						ends(events).map((event) => event.toolUseId),
						calls.map(({ id }) => id),
					);
					const expected = list.flatMap((kind, index) =>
						['safe', 'unsafe', 'changed', 'failing', 'proposed'].includes(kind) ? [`t${index}`] : [],
					);
					assert.deepEqual([...runs].sort(), [...expected].sort());
					const states = {
						safe: 'done',
						unsafe: 'done',
						changed: 'done',
						failing: 'error',
						throwing: 'error',
						denied: 'denied',
						proposed: 'done',
						refusedAhead: 'denied',
						unknown: 'error',
						invalid: 'error',
						bash_fails: 'error',
					};
					assert.deepEqual(
						ends(events).map(({ state }) => state),
						list.map((kind) => states[kind]),
					);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('after a stop at any moment nothing starts any more and every call is answered', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 15 }),
				fc.nat(40),
				async (scheduler, list, stopAfter) => {
					const { tools, deps, runs, problems } = world(scheduler);
					const controller = new AbortController();
					const wakeup = new Wakeup();
					const executor = new StreamingToolExecutor({
						tools,
						deps,
						context: bareContext(),
						signal: controller.signal,
						onWake: () => wakeup.ring(),
					});
					const calls = list.map(call);
					for (const block of calls) executor.add(block);
					const events: ToolEvent[] = [];
					const done = (async () => {
						for await (const event of drain(executor, wakeup)) events.push(event);
					})();
					for (let step = 0; step < stopAfter && scheduler.count() > 0; step++) await scheduler.waitOne();
					controller.abort('stop');
					const before = runs.length;
					await scheduler.waitFor(done);
					assert.equal(runs.length, before, 'a call started after the stop');
					assert.deepEqual(problems, []);
					assert.deepEqual(
						ends(events).map((event) => event.toolUseId),
						calls.map(({ id }) => id),
					);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('after a discard nothing comes out, late results included', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 10 }),
				fc.nat(20),
				async (scheduler, list, discardAfter) => {
					const { tools, deps } = world(scheduler);
					const executor = new StreamingToolExecutor({
						tools,
						deps,
						context: bareContext(),
						signal: new AbortController().signal,
						onWake: () => {},
					});
					for (const block of list.map(call)) executor.add(block);
					for (let step = 0; step < discardAfter && scheduler.count() > 0; step++) await scheduler.waitOne();
					executor.discard();
					const idle = executor.idle();
					await scheduler.waitFor(idle);
					assert.deepEqual(executor.takeEvents(), []);
					assert.equal(executor.settled, true);
				},
			),
			{ numRuns: 200 },
		);
	});

	test('a failed Bash call cancels the calls beside and behind it, and nothing else does', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 }),
				async (scheduler, list) => {
					const { tools, deps } = world(scheduler);
					const events: ToolEvent[] = [];
					const signal = new AbortController().signal;
					const done = (async () => {
						for await (const event of runTools(list.map(call), { tools, deps, context: bareContext(), signal }))
							events.push(event);
					})();
					await scheduler.waitFor(done);
					const stopped = ends(events).filter(({ state }) => state === 'stopped');
					const bashFailed = ends(events).some(({ tool, state }) => tool === 'Bash' && state === 'error');
					if (stopped.length > 0) assert.ok(bashFailed);
					for (const { result } of stopped) {
						const [first] = result.content;
						assert.match(first?.type === 'text' ? first.text : '', /a command beside it failed: t\d+/);
					}
					// What had to wait for a failed Bash call never ran.
					const firstFailed = ends(events).findIndex(({ tool, state }) => tool === 'Bash' && state === 'error');
					list.forEach((kind, index) => {
						const waited = firstFailed >= 0 && index > firstFailed && (kind === 'unsafe' || kind === 'denied');
						if (waited) assert.equal(ends(events)[index]?.state, 'stopped');
					});
				},
			),
			{ numRuns: 200 },
		);
	});
});
