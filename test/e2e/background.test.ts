// Work beside the conversation as the person sees it: a label above tool cards, a suggestion that is only written down, and a
// memory in the folder.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '../../src/core/limits.ts';
import { projectFolder } from '../../src/node/sessions/paths.ts';
import { answer, delay, lastUserText, text, toolUse, turn, type MockRequest } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';
import { sampleWorkspace, temporaryFolder } from './harness/workbench.ts';
import { poll } from './harness/workbenchPage.ts';

const label = 'Read the login and its session';
const suggestion = 'Fix the empty password';
const rule = 'Passwords are never empty.';

const kinds = {
	label: /^Say in at most/,
	suggestion: /^Below is the latest exchange/,
	memory: /<memory>[^]*<exchange>/,
	consolidation: /Put the memory below in order/,
};
type Kind = keyof typeof kinds;

const says: Readonly<Record<Kind, string>> = {
	label: `${label}.`,
	suggestion: `"${suggestion}"`,
	memory: JSON.stringify({ write: [{ name: 'login.md', text: rule }], remove: [] }),
	consolidation: '{}',
};

/** What a request is for. The work beside the conversation offers no tools. */
function kindOf(request: MockRequest): Kind | 'conversation' | undefined {
	const { tools } = request.body;
	if (Array.isArray(tools) && tools.length > 0) return 'conversation';
	const question = lastUserText(request);
	return (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].test(question));
}

stories('background', (stories) => {
	const asked = () => stories.mock.requests.map(kindOf);

	setup(() => {
		let turns = 0;
		stories.mock.setScript((request) => {
			const kind = kindOf(request);
			if (kind === undefined) return undefined;
			if (kind !== 'conversation') return answer(says[kind]);
			// Time for the label, which an answer does not wait for.
			if (turns++ > 0) return turn(delay(1_000), text('An empty password passes.'));
			return turn(
				'I look at the login.',
				toolUse('Read', { file_path: 'src/auth/login.ts' }),
				toolUse('Read', { file_path: 'src/auth/session.ts' }),
			);
		});
	});

	for (const locale of ['en', 'zh-cn'] as const) {
		test(`a label above the cards, and a suggestion that is never sent by itself, ${locale}`, async () => {
			const settings = { 'loopwright.suggestions.enabled': true, 'loopwright.toolLabels.enabled': true };
			const bench = await stories.open({ locale, settings });
			await bench.ask('Check the login');
			const heading = { name: bench.text('Tool calls: {0}').replace('{0}', label), exact: true };
			await (await bench.panel()).getByRole('heading', heading).waitFor();
			const use = bench.text('Use the suggestion: {0}').replace('{0}', suggestion);
			const button = (await bench.panel()).getByRole('button', { name: use, exact: true });
			await button.waitFor();
			for (const file of ['login', 'session']) await bench.waitForCard(`Read: src/auth/${file}.ts`, 'done');
			const shown = await (await bench.articles('Loopwright')).last().innerText();
			assert.ok(shown.indexOf(label) < shown.indexOf('login.ts'), 'the label is above the first card');
			assert.equal(shown.split(label).length, 2, 'there is one label for both cards');
			await bench.screenshot(`background-${locale}`);

			assert.deepEqual(asked().map(String).toSorted(), ['conversation', 'conversation', 'label', 'suggestion']);
			await button.click();
			assert.equal(await (await bench.composer()).inputValue(), suggestion);
			await bench.waitForStatus('Ready');
			assert.equal(await (await bench.articles('You')).count(), 1);
			assert.equal(asked().length, 4, 'nothing was sent');

			await bench.reloadWindow();
			await (await bench.panel()).getByRole('heading', heading).waitFor();
			assert.deepEqual(stories.mock.violations, []);
		});
	}

	test('what is remembered lies in the folder, and the next conversation knows it; its consolidation is noted', async () => {
		const [folder, home] = [sampleWorkspace(), temporaryFolder('home')];
		const project = projectFolder(path.join(home, '.loopwright'), folder);
		mkdirSync(project, { recursive: true });
		for (let at = 0; at < limits.dreamSessions; at++) writeFileSync(path.join(project, `earlier${at}.jsonl`), '');
		const settings = { 'loopwright.memory.enabled': true, 'loopwright.memory.consolidate': true };
		const bench = await stories.open({ folder, home, settings });
		const written = (file: string) => poll(10_000, async () => textOf(file));
		await bench.ask('Check the login');
		assert.equal(await written(path.join(folder, '.loopwright/memory/login.md')), `${rule}\n`);
		assert.match((await written(path.join(project, 'memory-consolidated'))) ?? '', /^\d+$/);

		await bench.runCommand('Loopwright: New Conversation');
		const empty = async () => (await (await bench.articles('You')).count()) === 0 || undefined;
		assert.ok(await poll(10_000, empty), 'the new conversation is there');
		await bench.ask('What do you know?');
		const requests = stories.mock.requests.filter((request) => kindOf(request) === 'conversation');
		const knows = requests.map(({ body }) => JSON.stringify(body).includes(rule));
		assert.deepEqual(knows, [false, false, true]);
		assert.deepEqual(stories.mock.violations, []);
	});

	test('unless a setting says so, nothing is asked beside the conversation', async () => {
		const bench = await stories.open();
		await bench.ask('Check the login');
		// What is asked after an exchange would be asked by the time that the next one is over.
		await bench.ask('And again');
		assert.deepEqual(asked(), ['conversation', 'conversation', 'conversation']);
		assert.equal(await (await bench.panel()).getByRole('heading', { name: label }).count(), 0);
		assert.deepEqual(stories.mock.violations, []);
	});
});

function textOf(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
