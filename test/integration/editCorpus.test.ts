// Steps between versions of files with the Edit tool in the editor: closed and open, byte for byte. A few that chance has
// made of this project's own files; `npm run edit-corpus -- --host` brings a sample of real ones.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { editTool } from '../../src/core/tools/builtin/edit.ts';
import { VscodeWorkspace } from '../../src/host/workspace/vscodeWorkspace.ts';
import { checkPair, newTally } from '../corpus/check.ts';
import type { Sample } from '../corpus/check.ts';
import { seededRandom } from '../corpus/hunks.ts';
import { inventedPairs } from '../corpus/sources.ts';
import { callTool, fakeContext } from '../support/fakeWorkspace.ts';

suite('edit corpus in the editor', () => {
	const workspace = new VscodeWorkspace('/nowhere');
	const files = vscode.workspace.getConfiguration('files');
	let folder: string;

	suiteSetup(() => {
		folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'loopwright-corpus-')));
	});
	suiteTeardown(async () => {
		await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	test('every hunk makes the wanted bytes', async function () {
		const samples = process.env.LOOPWRIGHT_EDIT_CORPUS ? published(process.env.LOOPWRIGHT_EDIT_CORPUS) : invented();
		this.timeout(60_000 + samples.length * 5_000);
		const different: string[] = [];
		const forms = new Map<string, Sample[]>();
		for (const sample of samples) forms.set(sample.encoding, [...(forms.get(sample.encoding) ?? []), sample]);
		for (const [encoding, group] of forms) {
			await files.update('encoding', encoding, vscode.ConfigurationTarget.Global);
			for (const [index, sample] of group.entries()) {
				const problem = await differs(sample, { name: `${encoding}-${index}.txt`, open: index % 2 === 0 });
				if (problem !== undefined) different.push(`${sample.name}: ${problem}`);
			}
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		}
		assert.deepEqual(different, [], `of ${samples.length}`);
	});

	async function differs(
		sample: Sample,
		{ name, open }: { readonly name: string; readonly open: boolean },
	): Promise<string | undefined> {
		const file = path.join(folder, name);
		await writeFile(file, sample.before);
		if (open) await vscode.window.showTextDocument(vscode.Uri.file(file));
		const context = fakeContext(workspace);
		const read = await workspace.read(file);
		if (read.kind !== 'text') return `not read: ${JSON.stringify(read)}`;
		context.fileState.remember(file, read.text, false);
		const input = { file_path: file, old_string: sample.oldString, new_string: sample.newString };
		const result = await callTool(editTool, input, context);
		if (result.isError) return result.text;
		if (/could not be saved|changed more/.test(result.text)) return result.text;
		return (await readFile(file)).equals(sample.after) ? undefined : 'other bytes';
	}
});

function published(file: string): readonly Sample[] {
	const samples = JSON.parse(readFileSync(file, 'utf8')) as readonly (Omit<Sample, 'before' | 'after'> & {
		readonly before: string;
		readonly after: string;
	})[];
	return samples.map((sample) => ({
		...sample,
		before: Buffer.from(sample.before, 'base64'),
		after: Buffer.from(sample.after, 'base64'),
	}));
}

function invented(): readonly Sample[] {
	const random = seededRandom(7);
	const tally = newTally();
	const samples: Sample[] = [];
	const root = path.resolve(__dirname, '../../..');
	for (const pair of inventedPairs(root, ['src/core/tools/edits.ts', 'l10n/bundle.l10n.zh-cn.json'], random)) {
		checkPair(pair, { random, tally, most: 20, onSample: (sample) => samples.push(sample) });
		if (tally.hunks >= 20) break;
	}
	assert.deepEqual(tally.differences, []);
	return samples;
}
