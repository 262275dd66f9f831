// What the editor adds to a turn: new problems once, and the reminder of a todo list that nobody looks after.
import assert from 'node:assert/strict';
import type { AssistantMessage, JsonObject, Message } from '../../../src/core/messages/types.ts';
import { noUsage } from '../../../src/core/messages/types.ts';
import type { Problem } from '../../../src/host/attachments/newDiagnostics.ts';
import { hiddenMessage } from '../../../src/core/loop/record.ts';
import { FakeClock } from '../../support/fakeTools.ts';
import { newDiagnosticsSource, problemsTold } from '../../../src/host/attachments/newDiagnostics.ts';
import { quietTurns, todoReminder } from '../../../src/host/attachments/todoReminder.ts';

const answer = (name?: string, input: JsonObject = {}): AssistantMessage => ({
	role: 'assistant',
	id: 'm',
	content: name === undefined ? [{ type: 'text', text: 'x' }] : [{ type: 'tool_use', id: 't', name, input }],
	model: 'x',
	stopReason: 'end_turn',
	usage: noUsage,
	complete: true,
	time: 0,
});
const quiet = (count: number): Message[] => Array.from({ length: count }, () => answer());
const note = (text: string): Message => ({
	role: 'user',
	id: 'n',
	origin: 'hidden',
	content: [{ type: 'text', text }],
	time: 0,
});

suite('todo reminder', () => {
	const todo = (content: string, status: string) => ({ content, activeForm: content, status });
	const list = answer('TodoWrite', { todos: [todo('Write tests', 'in_progress'), todo('Look', 'completed')] });

	test('comes after ten quiet turns, names what is open, and not again before ten more', () => {
		assert.equal(todoReminder([list, ...quiet(quietTurns - 1)]), undefined);
		const reminder = todoReminder([list, ...quiet(quietTurns)]);
		assert.match(reminder ?? '', /10 turns.*\n- \[in_progress\] Write tests$/s);
		const told = [list, ...quiet(quietTurns), note(`<system-note>\n${reminder}\n</system-note>`)];
		assert.equal(todoReminder([...told, ...quiet(quietTurns - 1)]), undefined);
		assert.match(todoReminder([...told, ...quiet(quietTurns)]) ?? '', /20 turns/);
	});

	test('says nothing without a list, with a finished or empty one, or with a broken one', () => {
		assert.equal(todoReminder(quiet(50)), undefined);
		for (const todos of [[], [todo('Look', 'completed')], 'broken', [null, 7]]) {
			assert.equal(todoReminder([answer('TodoWrite', { todos }), ...quiet(20)]), undefined);
		}
	});
});

suite('new diagnostics', () => {
	const problem = (message: string, severity: Problem['severity'] = 'error', line = 1): Problem => ({
		severity,
		line,
		message,
		source: 'ts',
	});
	const { signal } = new AbortController();
	const start = (problems: Record<string, Problem[]>) => {
		const source = newDiagnosticsSource('/w', (file) => problems[file] ?? []);
		const told: Message[] = [];
		return async (...answers: Message[]) => {
			const messages = [...told, ...answers];
			const notes = await source({ messages, turn: 1, sent: () => messages }, signal);
			told.push(...notes.map((note) => hiddenMessage(note, { uuid: () => note, clock: new FakeClock() })));
			return notes;
		};
	};
	const read = answer('Read', { file_path: '/w/a.ts' });
	const edit = answer('Edit', { file_path: 'a.ts' });

	test('what came since the first look is told once, whatever line it moved to', async () => {
		const problems: Record<string, Problem[]> = { '/w/a.ts': [problem('old')], '/w/b.ts': [problem('foreign')] };
		const look = start(problems);
		assert.deepEqual(await look(), []);
		assert.deepEqual(await look(read), []);
		problems['/w/a.ts'] = [problem('old', 'error', 9), problem('new', 'error', 4), problem('hm', 'warning', 2)];
		assert.deepEqual(await look(read, edit), [
			'New problems that the editor reports in files you worked on:\na.ts:4 error: new [ts]\na.ts:2 warning: hm [ts]',
		]);
		assert.deepEqual(await look(read, edit), []);
	});

	test('a note that came too late is told at the next turn', async () => {
		const problems: Record<string, Problem[]> = { '/w/a.ts': [] };
		const source = newDiagnosticsSource('/w', (file) => problems[file] ?? []);
		const messages: Message[] = [read];
		const see = () => source({ messages, turn: 1, sent: () => messages }, signal);
		await see();
		problems['/w/a.ts'] = [problem('new')];
		assert.match((await see()).join(), /new/);
		const [late = ''] = await see();
		assert.match(late, /new/);
		messages.push(hiddenMessage(late, { uuid: () => 'note', clock: new FakeClock() }));
		assert.deepEqual(await see(), []);
	});

	test('a file that was written unseen tells its errors; a resumed conversation tells nothing at first', async () => {
		const problems = { '/w/a.ts': [problem('bad'), problem('hm', 'warning')] };
		const look = start(problems);
		await look();
		assert.match((await look(edit)).join(), /bad/);
		assert.deepEqual(await start(problems)(read, edit), []);
	});

	test('long lists and texts are cut', async () => {
		const problems: Record<string, Problem[]> = { '/w/a.ts': [] };
		const look = start(problems);
		await look(read);
		problems['/w/a.ts'] = Array.from({ length: 50 }, (_, at) => problem(`${at} ${'x\n'.repeat(5_000)}`));
		const [told = ''] = await look(read);
		assert.equal(told.split('\n').length, problemsTold + 2);
		assert.ok(told.length < 10_000);
		assert.match(told, /and 30 more$/);
	});
});
