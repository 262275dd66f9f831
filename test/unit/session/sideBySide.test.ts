// Two conversations on the same files, with real engines, tools and files: each is told what the other has changed, and an edit of
// one never costs one of the other.
import assert from 'node:assert/strict';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Conversation } from '../../../src/core/session/engineApi.ts';
import { newUuid, systemClock } from '../../../src/node/clock.ts';
import { NodeWorkspace } from '../../../src/node/workspace/nodeWorkspace.ts';
import { PermissionDesk } from '../../../src/host/session/permissionDesk.ts';
import { answer, gate, messagesOf, text, toolResults, toolUse, turn, type Step } from '../../support/mockServer.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { folderWithModel } from '../../support/folderWithModel.ts';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

suite('conversations side by side', () => {
	const place = folderWithModel();
	let file: string;
	let workspace: NodeWorkspace;
	let now: number;
	setup(async () => {
		now = Date.now();
		const { folder } = place;
		file = path.join(folder, 'list.txt');
		await writeFile(file, before);
		// As in a window: all conversations share the order in which files are changed.
		workspace = new NodeWorkspace({ roots: [folder] });
	});
	function start(desk = new PermissionDesk(), allow: readonly string[] = []) {
		const clock = { ...systemClock, now: () => now };
		const rules = allow.map((text) => ({ text, origin: { source: 'session' } as const }));
		const { conversation } = startConversation({
			url: place.mock.url,
			interaction: desk,
			ports: { workspace, clock, uuid: newUuid },
			settings: { allow: rules },
		});
		return { conversation, desk };
	}
	const say = ({ conversation }: { conversation: Conversation }, text: string) =>
		finish(conversation.submitMessage({ text }));
	const read = () => turn(toolUse('Read', { file_path: file }));
	const edit = (old_string: string, new_string: string, at = file) =>
		turn(toolUse('Edit', { file_path: at, old_string, new_string }));
	/** What a prompt leads to, one step after the other. */
	function script(steps: Readonly<Record<string, readonly Step[]>>): void {
		const left = new Map(Object.entries(steps).map(([prompt, list]) => [prompt, [...list]]));
		place.mock.setScript((request) => {
			const said = messagesOf(request).flatMap(({ content }) => JSON.stringify(content));
			const prompt = [...left.keys()].findLast((key) => said.some((text) => text.includes(key)));
			return left.get(prompt ?? '')?.shift() ?? answer('Done.');
		});
	}
	async function waiting(desk: PermissionDesk): Promise<string> {
		if (desk.pending.length === 0) {
			await new Promise<void>((resolve) => {
				const end = desk.onChange(() => {
					if (desk.pending.length === 0) return;
					end();
					resolve();
				});
			});
		}
		return desk.pending[0]?.id ?? assert.fail();
	}

	test('what one changes with its own tools is told to the other with its next request, and to nobody else', async () => {
		const one = start(undefined, ['Edit']);
		const two = start();
		script({
			'two reads': [read()],
			'one edits': [read(), edit('three', 'THREE')],
		});
		await say(two, 'two reads');
		await say(one, 'one edits');
		const told = () =>
			JSON.stringify(messagesOf(place.mock.requests.at(-1) ?? assert.fail())).includes('Changed by someone else');
		await say(two, 'two goes on');
		assert.ok(told());
		await say(one, 'one goes on');
		assert.ok(!told());
	});

	test('what changes while a turn runs is told with the next request of the exchange, however quick the turns are', async () => {
		const [one, two] = [start(undefined, ['Edit']), start()];
		const other = path.join(place.folder, 'other.txt');
		await writeFile(other, 'other\n');
		const hold = gate();
		script({
			'two reads': [
				read(),
				turn(text('I look', hold, ' on.'), toolUse('Read', { file_path: other })),
				answer('I see.'),
			],
			'one edits': [read(), edit('three', 'THREE')],
		});
		now = 0;
		const reading = say(two, 'two reads');
		await hold.reached;
		await say(one, 'one edits');
		hold.open();
		await reading;
		assert.ok(JSON.stringify(messagesOf(place.mock.requests.at(-1) ?? assert.fail())).includes('Changed by someone'));
	});

	test('edits of both that wait at the same time are both in the file, whichever is answered first', async () => {
		for (const firstAnswered of [0, 1] as const) {
			await writeFile(file, before);
			const both = [start(), start()] as const;
			script({ 'first edits': [read(), edit('two', 'TWO')], 'second edits': [read(), edit('six', 'SIX')] });
			const runs = [say(both[0], 'first edits'), say(both[1], 'second edits')];
			const ids = [await waiting(both[0].desk), await waiting(both[1].desk)];
			for (const at of [firstAnswered, 1 - firstAnswered]) {
				both[at]?.desk.answer(ids[at] ?? '', { behavior: 'allow' });
				await runs[at];
			}
			assert.equal(await readFile(file, 'utf8'), before.replace('two', 'TWO').replace('six', 'SIX'));
		}
	});

	test('in the same place the later one is not written over the earlier one', async () => {
		const both = [start(), start()] as const;
		script({ 'first edits': [read(), edit('four', '4')], 'second edits': [read(), edit('four', 'IV')] });
		const runs = [say(both[0], 'first edits'), say(both[1], 'second edits')];
		const ids = [await waiting(both[0].desk), await waiting(both[1].desk)];
		both[0].desk.answer(ids[0] ?? '', { behavior: 'allow' });
		await runs[0];
		both[1].desk.answer(ids[1] ?? '', { behavior: 'allow' });
		await runs[1];
		assert.equal(await readFile(file, 'utf8'), before.replace('four', '4'));
		const result = toolResults(place.mock.requests.at(-1) ?? assert.fail())[0];
		assert.equal(result?.isError, true);
	});

	test('a whole file is not written over what the other has changed since it was read', async () => {
		const [one, two] = [start(undefined, ['Edit']), start(undefined, ['Write'])];
		script({
			'two reads': [read()],
			'one edits': [read(), edit('one', 'ONE')],
			'two writes': [turn(toolUse('Write', { file_path: file, content: 'all new\n' }))],
		});
		await say(two, 'two reads');
		await say(one, 'one edits');
		await say(two, 'two writes');
		assert.equal(await readFile(file, 'utf8'), before.replace('one', 'ONE'));
		assert.match(
			toolResults(place.mock.requests.at(-1) ?? assert.fail())[0]?.text ?? '',
			/has changed since it was read/,
		);
	});

	test('of forty edits at once under two names of one file each is there', async () => {
		const link = path.join(place.folder, 'same.txt');
		await symlink(file, link);
		const names = Array.from({ length: 40 }, (_, at) => `line-${at}`);
		await writeFile(file, `${names.join('\n')}\n`);
		const steps = Object.fromEntries(
			names.map((name, at) => {
				const at_ = at % 2 === 0 ? file : link;
				return [`do ${name}!`, [turn(toolUse('Read', { file_path: at_ })), edit(`${name}\n`, `${name} done\n`, at_)]];
			}),
		);
		script(steps);
		await Promise.all(names.map((name) => say(start(undefined, ['Edit']), `do ${name}!`)));
		assert.equal(await readFile(file, 'utf8'), `${names.join(' done\n')} done\n`);
	});
});
