// What is chosen on a question's card, and when it is an answer.
import assert from 'node:assert/strict';
import type { QuestionView } from '../../../src/shared/permission.ts';
import { answerOf, answersOf, chosen, noAnswer, written } from '../../../webview-ui/src/dock/questionAnswers.ts';

suite('answers to questions', () => {
	const options = ['A', 'B', 'C'].map((label) => ({ label, description: '' }));
	const one: QuestionView = { question: 'One?', header: 'One', options, multiSelect: false };
	const many: QuestionView = { question: 'Many?', header: 'Many', options, multiSelect: true };

	test('one choice replaces another', () => {
		const draft = chosen(chosen(noAnswer, 'A', one), 'B', one);
		assert.equal(answerOf(draft, one), 'B');
	});

	test('several choices come in the order of the question, and can be taken back', () => {
		const draft = chosen(chosen(chosen(noAnswer, 'C', many), 'A', many), 'B', many);
		assert.equal(answerOf(draft, many), 'A, B, C');
		assert.equal(answerOf(chosen(draft, 'B', many), many), 'A, C');
	});

	test('own words take the place of a choice, and are kept while another one is tried', () => {
		const draft = written(chosen(noAnswer, 'A', one), ' my own ', one);
		assert.equal(answerOf(draft, one), 'my own');
		const tried = chosen(draft, 'B', one);
		assert.equal(answerOf(tried, one), 'B');
		assert.equal(answerOf(chosen(tried, null, one), one), 'my own');
		assert.equal(answerOf(written(draft, '', one), one), '');
	});

	test('own words come beside choices where several are possible', () => {
		assert.equal(answerOf(written(chosen(noAnswer, 'B', many), 'and D', many), many), 'B, and D');
	});

	test('there is an answer only when each question has one; chosen own words that are empty are none', () => {
		const first = { 'One?': chosen(noAnswer, 'A', one) };
		assert.equal(answersOf([one, many], first), undefined);
		assert.equal(answersOf([one, many], { ...first, 'Many?': chosen(noAnswer, null, many) }), undefined);
		const both = { ...first, 'Many?': chosen(noAnswer, 'C', many) };
		assert.deepEqual(answersOf([one, many], both), { 'One?': 'A', 'Many?': 'C' });
	});
});
