// The panel's words: tool lines, requests, statuses, numbers; and that each sentence has its Chinese translation.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import { slashCommands } from '../../../src/shared/slashCommands.ts';
import type { ToolView } from '../../../src/shared/view.ts';
import { commandOffer } from '../../../webview-ui/src/dock/offerWords.ts';
import {
	dangerOf,
	noRuleText,
	partName,
	reasonBeside,
	reasonText,
	requestTitle,
	suggestedRules,
	warningOf,
} from '../../../webview-ui/src/dock/permissionWords.ts';
import {
	dollars,
	number,
	duration,
	minutes,
	percent,
	plainOutput,
	shownPath,
	splitPath,
	tokens,
} from '../../../webview-ui/src/format.ts';
import { errorText } from '../../../webview-ui/src/rows/errorWords.ts';
import { retryText } from '../../../webview-ui/src/rows/retryWords.ts';
import { statusText } from '../../../webview-ui/src/status.ts';
import { toolWords } from '../../../webview-ui/src/tools/toolWords.ts';
import type { ToolRow } from '../../../webview-ui/src/tools/toolWords.ts';

const row = (tool: string, summary: string, view: ToolView, state: ToolRow['state'] = 'done'): ToolRow => ({
	kind: 'tool',
	id: 'x',
	toolUseId: 'x',
	tool,
	summary,
	state,
	view,
});
const line = (given: ToolRow) => {
	const { verb, object, place, result } = toolWords(given);
	return [verb, object, place, result].filter((part) => part !== '').join(' ');
};
const none: ToolView = { kind: 'none' };
const command = (exitCode: number): ToolView => ({
	kind: 'command',
	command: 'npm test',
	output: '',
	omitted: 0,
	exitCode,
	outcome: 'exited',
	durationMs: 1,
});

suite('words of the panel', () => {
	test('a tool call in one line', () => {
		const read: ToolView = { kind: 'read', path: 'src/login.ts', firstLine: 1, lines: 80, text: '', partial: false };
		const matches: ToolView = { kind: 'matches', matches: [], total: 12, files: 5, truncated: false };
		assert.equal(line(row('Read', 'src/login.ts', read)), 'Read login.ts src 1–80');
		assert.equal(line(row('Read', 'src/login.ts', none, 'running')), 'Reading login.ts src');
		assert.equal(line(row('Grep', 'login', matches)), 'Searched login 12 in 5 files');
		assert.equal(line(row('Bash', 'npm test', command(0))), 'Ran npm test succeeded');
		assert.equal(line(row('Bash', 'npm test', command(1))), 'Ran npm test failed (1)');
		assert.equal(line(row('Bash', 'npm test', command(1), 'error')), 'Ran npm test failed (1)');
		assert.equal(line(row('Write', 'a.md', none, 'denied')), 'Write a.md denied');
		assert.equal(line(row('Edit', 'a.md', none, 'error')), 'Edit a.md failed');
		assert.equal(line(row('mcp__github__create_issue', 'title', none)), 'github · create_issue title');
		const page: ToolView = {
			kind: 'web',
			url: 'https://a.example/b',
			status: 200,
			title: 'B',
			bytes: 48_200,
			text: '',
		};
		assert.equal(line(row('WebFetch', page.url, page)), 'Fetched https://a.example/b 48 kB');
		const gone = row('WebFetch', page.url, { ...page, status: 404 });
		assert.equal(line(gone), 'Fetched https://a.example/b failed (404)');
		assert.equal(toolWords(gone).failed, true);
		assert.equal(line(row('Read', '', none, 'queued')), 'Read queued');
	});

	test('a request says what will happen', () => {
		const request = (detail: PermissionRequest['detail']): string => {
			const title = requestTitle({
				id: '1',
				toolUseId: '1',
				tool: 'T',
				summary: 's',
				detail,
				reason: { code: 'mode_asks' },
			});
			return title.text.replace('{0}', () => title.object);
		};
		const edit = { kind: 'edit', path: 'a/b.ts', unsaved: false, hunks: [], added: 0, removed: 0 } as const;
		assert.equal(request({ kind: 'command', command: 'echo $& {0}', cwd: '/' }), 'Run echo $& {0}');
		assert.equal(request({ kind: 'command', command: 'a\nb', cwd: '/' }), 'Run this command');
		assert.equal(request({ ...edit, created: false }), 'Change b.ts');
		assert.equal(request({ ...edit, created: true }), 'Create b.ts');
		assert.equal(request({ kind: 'generic', input: '{}' }), 'Use the tool T: s');
		assert.equal(reasonText({ code: 'outside_workspace', args: { path: '' } }), 'It lies outside of the open folder.');
		assert.equal(reasonText({ code: 'ask_rule', args: { rule: 'Bash(x)' } }), 'The rule Bash(x) says to ask.');
	});

	test('what is dangerous, what decided, and why no rule is offered', () => {
		const request = (fields: Partial<PermissionRequest>): PermissionRequest => ({
			id: '1',
			toolUseId: '1',
			tool: 'Bash',
			summary: 's',
			detail: { kind: 'command', command: 'rm -rf /home', cwd: '/' },
			reason: { code: 'not_read_only' },
			...fields,
		});
		assert.equal(dangerOf(request({})), undefined);
		assert.equal(dangerOf(request({ reason: { code: 'protected_path' } })), 'protected_path');
		const critical = request({ reason: { code: 'protected_path' }, explanation: { danger: 'critical_path' } });
		assert.equal(dangerOf(critical), 'critical_path');
		assert.match(noRuleText(critical), /such commands ask every time/);
		assert.match(noRuleText(request({ reason: { code: 'ask_rule' } })), /the one that asks is stronger/);
		const outside = request({ reason: { code: 'outside_workspace', args: { path: '/a' } } });
		assert.deepEqual([warningOf(outside), reasonBeside(outside)], ['/a lies outside of the open folder.', undefined]);
		assert.match(warningOf(critical) ?? '', /^Danger: /);
		assert.equal(reasonBeside(critical), 'This file is protected.');
		assert.equal(partName(request({}), 'rm -rf /home'), 'Part of the command');
		assert.equal(partName(request({}), '/home'), 'Real path');
		assert.equal(partName(request({}), String.raw`C:\Users`), 'Real path');
		assert.equal(suggestedRules(request({ suggestedRules: ['Bash(a)', 'Bash(b)'] })), 'Bash(a)\nBash(b)');
		assert.equal(suggestedRules(request({})), undefined);
	});

	test('statuses are exact', () => {
		assert.equal(statusText({ status: 'waiting' }, 0), 'Waiting for you');
		assert.equal(statusText({ status: 'retrying', retryAt: 2500 }, 0), 'Retrying in 3 s');
		assert.equal(statusText({ status: 'retrying', retryAt: 0 }, 99), 'Retrying in 0 s');
	});

	test('errors name the place and what to do; unknown codes get a sentence too', () => {
		assert.match(errorText({ code: 'authentication', args: { host: 'h.example' } }), /h\.example.*Set a valid key/);
		assert.match(errorText({ code: 'new_code', args: {} }), /the model service/);
		assert.match(errorText({ code: 'rate_limited', args: { seconds: '30' } }), /in 30\ss/);
		assert.match(errorText({ code: 'constructor', args: {} }), /the model service/);
	});

	test('why a request is made again, in one sentence', () => {
		const says = (code: string, args = {}) => retryText({ code, args, attempt: 2 });
		assert.equal(says('overloaded'), 'The model service is overloaded. Attempt 2 follows.');
		assert.equal(says('unreachable', { host: 'a.b:9' }), 'a.b:9 cannot be reached. Attempt 2 follows.');
		assert.equal(says('something new'), 'The model service had an internal error. Attempt 2 follows.');
	});

	test('every end of an exchange has words of its own', () => {
		const codes = [
			'blocking_limit',
			'rapid_refill_breaker',
			'malformed_tool_use_exhausted',
			'prompt_too_long',
			'refused',
		];
		const general = errorText({ code: 'unknown', args: {} });
		const sentences = codes.map((code) => errorText({ code, args: {} }));
		assert.equal(new Set([...sentences, general]).size, codes.length + 1);
		assert.match(errorText({ code: 'rate_limited', args: { host: 'x', seconds: '600' } }), /Try again in 10\smin\.$/);
		assert.match(errorText({ code: 'overloaded', args: {} }), /^The model service is overloaded/);
	});

	test('long waits, which no line breaks', () => {
		const words = [0, 61_000, 119_500, 600_000, 3_600_000, 5_400_001].map(minutes);
		const expected = ['0 s', '61 s', '2 min', '10 min', '1 h', '1 h 31 min'];
		assert.deepEqual(
			words,
			expected.map((each) => each.replaceAll(' ', '\u00a0')),
		);
	});

	test('numbers', () => {
		assert.deepEqual([420, 3200, 14_200, 59_700, 185_000].map(duration), [
			'0.4 s',
			'3.2 s',
			'14 s',
			'1 min 0 s',
			'3 min 5 s',
		]);
		assert.deepEqual([950, 12_340, 200_000, 999_600, 1_250_000].map(tokens), ['950', '12.3K', '200K', '1M', '1.25M']);
		assert.deepEqual([0, 0.164, 1].map(percent), ['0%', '16%', '100%']);
		assert.deepEqual([0, 0.0492, 1.5].map(dollars), ['$0.00', '$0.049', '$1.50']);
		assert.equal(number(12_345), '12,345');
		assert.deepEqual(splitPath('C:\\a\\b.ts'), { base: 'b.ts', folder: 'C:\\a' });
		const place = { folder: '/w', folders: [] };
		assert.equal(shownPath('/w/src/a.ts', place), 'src/a.ts');
		assert.equal(shownPath('/w2/a.ts', place), '/w2/a.ts');
		assert.equal(shownPath('src/a.ts', undefined), 'src/a.ts');
		const folders = [
			{ path: '/w', name: 'app' },
			{ path: '/x/lib', name: 'library' },
		];
		assert.equal(shownPath('/x/lib/src/b.ts', { folder: '/w', folders }), 'library/src/b.ts');
		assert.equal(shownPath('/w/a.ts', { folder: '/x/lib', folders }), 'app/a.ts');
		assert.equal(shownPath('/x/library/b.ts', { folder: '/w', folders }), '/x/library/b.ts');
		assert.equal(plainOutput('\u001B[31mred\u001B[0m\r\n50%\r100%\n'), 'red\n100%\n');
	});

	test('numbers in other display languages', () => {
		const inLanguage = (lang: string): readonly string[] => {
			Object.assign(globalThis, { document: { documentElement: { lang } } });
			try {
				return [tokens(12_340), dollars(0.0492), number(1_234_567), percent(0.164), duration(3200)];
			} finally {
				Reflect.deleteProperty(globalThis, 'document');
			}
		};
		assert.deepEqual(inLanguage('zh-cn'), ['1.23万', 'US$0.049', '1,234,567', '16%', '3.2 s']);
		assert.deepEqual(inLanguage('de'), ['12.300', '0,049\u00A0$', '1.234.567', '16\u00A0%', '3,2 s']);
	});

	test('each command that can be typed says what it does', () => {
		for (const command of slashCommands) assert.notEqual(commandOffer(command, '').detail, '', command.name);
	});

	test('each sentence has its Chinese translation with the same arguments', () => {
		const root = path.resolve(import.meta.dirname, '../../..');
		const bundle: unknown = JSON.parse(readFileSync(path.join(root, 'l10n/bundle.l10n.zh-cn.json'), 'utf8'));
		const translations = new Map(Object.entries(bundle as Record<string, string>));
		const slots = (sentence: string) => [...sentence.matchAll(/\{\d+\}/g)].map(String).sort();
		for (const sentence of sentencesOf(path.join(root, 'webview-ui/src'))) {
			const translation = translations.get(sentence);
			assert.ok(translation !== undefined, `no translation for: ${sentence}`);
			assert.deepEqual(slots(translation), slots(sentence), sentence);
		}
	});
});

/** The first arguments of all `t(…)` calls below a folder. */
function sentencesOf(folder: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
		if (!/(?<!\.d)\.tsx?$/.test(file)) continue;
		const { program } = parseSync(file, readFileSync(path.join(folder, file), 'utf8'));
		new Visitor({
			CallExpression({ callee, arguments: [first] }) {
				if (callee.type !== 'Identifier' || callee.name !== 't') return;
				if (first?.type === 'Literal' && typeof first.value === 'string') found.add(first.value);
			},
		}).visit(program);
	}
	return found;
}
