// Everything that people read can be translated: no words stand in the manifest, the host or the panel that skip the bundles.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { manifestFindings, sourceFindings } from '../support/unlocalised.ts';

const root = path.resolve(import.meta.dirname, '../..');

function filesBelow(folder: string): readonly string[] {
	return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => /(?<!\.d)\.tsx?$/.test(file))
		.map((file) => path.posix.join(folder, file.replaceAll('\\', '/')));
}

suite('words for people', () => {
	test('the check finds words that are not translated', () => {
		const manifest = { commands: [{ title: 'Do It', category: 'Loopwright' }, { title: '%a.b%' }], name: 'Loopwright' };
		assert.deepEqual(manifestFindings(manifest), ['package.json.commands[0].title: "Do It"']);
		const jsx =
			'const a = <p title="Over there" class="big">Hello {name} <b>{t("Fine")}</b></p>;\nconst b = <i aria-label={`At ${x}`}>·</i>;';
		assert.deepEqual(sourceFindings('a.tsx', jsx, { host: false }), [
			'a.tsx:1 "Over there"',
			'a.tsx:1 "Hello"',
			'a.tsx:2 "At"',
		]);
		const host =
			"vscode.window.showInformationMessage('Done', vscode.l10n.t('Open'));\nf({ placeHolder: 'Type', id: 'type' });";
		assert.deepEqual(sourceFindings('a.ts', host, { host: true }), ['a.ts:1 "Done"', 'a.ts:2 "Type"']);
		const hidden = [
			'const a = <p title={b ? "One" : t("Two")}>{c && "Three"}{`Four ${d}`}{e ?? "Five"}</p>;',
			'const f = <Bar text={"Six"} icon="gift" />;',
			'picker.placeholder = g ? "Seven" : h;',
			'const i = { label: j + "Eight", id: "nine" };',
		].join('\n');
		assert.deepEqual(
			sourceFindings('a.tsx', hidden, { host: false }).map((finding) => /"(\w+)"/.exec(finding)?.[1]),
			['Three', 'Four', 'Five', 'One', 'Six', 'Seven', 'Eight'],
		);
		const picks = 'vscode.window.showQuickPick(["One", t("Two")], { title: k || "Three" });';
		assert.equal(sourceFindings('a.ts', picks, { host: true }).length, 2);
	});

	test('in the manifest', () => {
		const manifest: Record<string, unknown> = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
		const { contributes, capabilities, description } = manifest;
		assert.deepEqual(manifestFindings({ contributes, capabilities, description }), []);
	});

	test('in the host and in the panel', () => {
		const found = [...filesBelow('src/host'), ...filesBelow('webview-ui/src')].flatMap((file) =>
			sourceFindings(file, readFileSync(path.join(root, file), 'utf8'), { host: file.startsWith('src/host') }),
		);
		assert.deepEqual(found, []);
	});
});
