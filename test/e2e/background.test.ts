// Work beside the conversation as the person sees it: a label above tool cards, and a suggestion that is only written down.
import assert from 'node:assert/strict';
import { answer, lastUserText, toolUse, turn, type MockRequest } from '../support/mockServer.ts';
import { stories } from './harness/stories.ts';

const label = 'Read the login and its session';
const suggestion = 'Fix the empty password';

/** What a request is for. The work beside the conversation offers no tools. */
function kindOf(request: MockRequest): 'conversation' | 'label' | 'suggestion' | 'other' {
	const { tools } = request.body;
	if (Array.isArray(tools) && tools.length > 0) return 'conversation';
	const question = lastUserText(request);
	if (question.startsWith('Say in at most')) return 'label';
	return question.startsWith('Below is the latest exchange') ? 'suggestion' : 'other';
}

stories('background', (stories) => {
	const kinds = () => stories.mock.requests.map(kindOf);

	setup(() => {
		let turns = 0;
		stories.mock.setScript((request) => {
			const kind = kindOf(request);
			if (kind === 'label') return answer(`${label}.`);
			if (kind === 'suggestion') return answer(`"${suggestion}"`);
			if (kind === 'other') return undefined;
			if (turns++ > 0) return answer('An empty password passes.');
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

			assert.deepEqual(kinds().toSorted(), ['conversation', 'conversation', 'label', 'suggestion']);
			await button.click();
			assert.equal(await (await bench.composer()).inputValue(), suggestion);
			await bench.waitForStatus('Ready');
			assert.equal(await (await bench.articles('You')).count(), 1);
			assert.equal(kinds().length, 4, 'nothing was sent');

			await bench.reloadWindow();
			await (await bench.panel()).getByRole('heading', heading).waitFor();
			assert.deepEqual(stories.mock.violations, []);
		});
	}

	test('unless a setting says so, nothing is asked beside the conversation', async () => {
		const bench = await stories.open();
		await bench.ask('Check the login');
		// What is asked after an exchange would be asked by the time that the next one is over.
		await bench.ask('And again');
		assert.deepEqual(kinds(), ['conversation', 'conversation', 'conversation']);
		assert.equal(await (await bench.panel()).getByRole('heading', { name: label }).count(), 0);
		assert.deepEqual(stories.mock.violations, []);
	});
});
