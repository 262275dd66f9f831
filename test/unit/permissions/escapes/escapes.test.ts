// Attempts to walk around the permissions, each with the verdict that it must get: by the real parser and the real engine, in
// a real folder with real links.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NodeWorkspace } from '../../../../src/node/workspace/nodeWorkspace.ts';
import { codeOf, judgeCommandLine, judgeFileCall } from '../../../support/permissions.ts';
import type { World } from '../../../support/permissions.ts';
import { commandEscapes } from './commands.ts';
import { fileEscapes } from './files.ts';
import { modeEscapes } from './modes.ts';
import type { Attempt, AttemptGroup } from './table.ts';

const groups: readonly AttemptGroup[] = [...commandEscapes, ...fileEscapes, ...modeEscapes];

suite('escape attempts', () => {
	let top: string;
	let folder: string;

	suiteSetup(async () => {
		top = await realpath(await mkdtemp(path.join(tmpdir(), 'escapes-')));
		folder = path.join(top, 'w');
		const files = [
			'w/src/a.ts',
			'w/src/b.ts',
			'w/sub/x',
			'w/.env',
			'w/.env.example',
			'w/keys/server.pem',
			'w/package.json',
		];
		files.push(
			'w/.git/config',
			'w/.git/hooks/x',
			'w/.vscode/settings.json',
			'w2/o.txt',
			'out/secret.txt',
			'out/deep/dir/x',
		);
		files.push('home/.ssh/id_rsa', 'home/notes', 'w/build/x', 'w/a\nb.txt');
		for (const file of files) {
			await mkdir(path.dirname(path.join(top, file)), { recursive: true });
			await writeFile(path.join(top, file), 'x');
		}
		const links: Readonly<Record<string, string>> = {
			link: '../out',
			dang: '../out/new',
			outfile: '../out/secret.txt',
			deep: '../out/deep',
			srclink: 'src',
			'src/up': '../..',
			toenv: '.env',
			togit: '.git',
			loop: 'loop',
		};
		for (const [name, target] of Object.entries(links)) await symlink(target, path.join(folder, name));
	});

	suiteTeardown(async () => {
		await rm(top, { recursive: true, force: true });
	});

	const placed = (text: string) =>
		text
			.replaceAll('{W}', folder)
			.replaceAll('{OUT}', path.join(top, 'out'))
			.replaceAll('{HOME}', path.join(top, 'home'));

	async function verdictOn({ call, mode, rules }: Attempt, group: AttemptGroup): Promise<string> {
		const workspace = new NodeWorkspace({ roots: [folder] });
		const world: World = {
			mode: mode ?? group.mode ?? 'default',
			texts: rules ?? group.rules ?? {},
			roots: [folder],
			home: path.join(top, 'home'),
			realPath: (file) => workspace.realPath(file),
			list: (at) => workspace.list(at),
			secretsIn: (at) => Promise.resolve([path.join(at, '.env')]),
		};
		const verdict =
			typeof call === 'string'
				? await judgeCommandLine(placed(call), folder, world)
				: await judgeFileCall(call[0], placed(call[1]), world);
		return codeOf(verdict);
	}

	for (const group of groups) {
		test(`${group.name} (${group.attempts.length})`, async () => {
			const wrong: string[] = [];
			for (const attempt of group.attempts) {
				const got = await verdictOn(attempt, group);
				if (got !== attempt.verdict && got.split(' ')[0] !== attempt.verdict) {
					wrong.push(`${JSON.stringify(attempt.call).slice(0, 120)}: ${got}, not ${attempt.verdict}`);
				}
			}
			assert.deepEqual(wrong, []);
		});
	}

	test('there are at least 200 of them, all different', () => {
		const calls = groups.flatMap((group) => group.attempts.map(({ call }) => JSON.stringify([group.name, call])));
		assert.equal(new Set(calls).size, calls.length);
		assert.ok(calls.length >= 200, String(calls.length));
	});
});
