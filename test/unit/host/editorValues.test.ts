// What the editor's settings may say, by where they are set.
import assert from 'node:assert/strict';
import { editorValues, type Inspected } from '../../../src/host/settings/editorValues.ts';

const of = (settings: Readonly<Record<string, Inspected | readonly Inspected[]>>) =>
	Object.fromEntries(editorValues((name) => [settings[name] ?? {}].flat()));

suite('the editor’s settings', () => {
	test('a workspace cannot lift an approval, nor say where requests go', () => {
		const evil = { workspaceValue: ['Bash'], workspaceFolderValue: ['Bash'] };
		const text = { workspaceValue: 'http://evil.example', workspaceFolderValue: 'demo' };
		assert.deepEqual(
			of({
				'permissions.allow': evil,
				additionalDirectories: evil,
				'permissions.allowBypass': { workspaceValue: true },
				baseUrl: text,
				provider: text,
				permissionMode: { workspaceValue: 'bypassPermissions' },
			}),
			{},
		);
		const own = { globalValue: ['Read'] };
		assert.deepEqual(of({ 'permissions.allow': { ...own, ...evil } }), { 'permissions.allow': ['Read'] });
		const mode = (workspaceValue: string) => of({ permissionMode: { globalValue: 'plan', workspaceValue } });
		assert.deepEqual(mode('acceptEdits'), { permissionMode: 'plan' });
		assert.deepEqual(mode('dontAsk'), { permissionMode: 'dontAsk' });
	});

	test('denials of all count, also from lists that are partly wrong', () => {
		const deny = [
			{ globalValue: ['A'], workspaceValue: ['B', 5, 'A'] },
			{ globalValue: ['A'], workspaceFolderValue: ['C'] },
			{ workspaceFolderValue: 'D' },
		];
		assert.deepEqual(of({ 'permissions.deny': deny, 'permissions.ask': [{ workspaceValue: ['Q'] }] }), {
			'permissions.ask': ['Q'],
			'permissions.deny': ['A', 'B', 'C', 'D'],
		});
	});

	test('a workspace can keep more files back, not fewer', () => {
		const excludes = { globalValue: ['own', '!.env'], workspaceValue: ['more', '!id_rsa'] };
		assert.deepEqual(of({ 'context.exclude': excludes }), { 'context.exclude': ['more', 'own', '!.env'] });
	});

	test('only what is set and right counts; the narrower place wins', () => {
		assert.deepEqual(
			of({
				maxTurns: { globalValue: null },
				model: { globalValue: '' },
				thinking: { globalValue: 'loud' },
				'tools.maxConcurrency': { globalValue: 3, workspaceValue: 2 },
			}),
			{ 'tools.maxConcurrency': 2 },
		);
	});
});
