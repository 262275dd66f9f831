// Which files hold secrets, by the built-in list and by the setting; and that nothing but a person's single answer opens one.
import assert from 'node:assert/strict';
import { permissionModes } from '../../../src/shared/permission.ts';
import { defaultExcludes, secretsPolicy } from '../../../src/core/permissions/secretsPolicy.ts';
import { editorValues } from '../../../src/host/settings/editorValues.ts';
import { layerOfValues } from '../../../src/node/settings/layers.ts';
import { resolveSettings } from '../../../src/node/settings/resolve.ts';
import { codeOf, judgeCommandLine, judgeFileCall } from '../../support/permissions.ts';
import type { World } from '../../support/permissions.ts';

const roots = ['/w', '/v'];
const home = '/home/u';
const policyOf = (...more: readonly string[]) => secretsPolicy({ exclude: [...defaultExcludes, ...more], roots, home });

suite('secrets policy', () => {
	test('the built-in list', () => {
		const { isSecret } = policyOf();
		const secret = [
			'.env',
			'.env.local',
			'.env.production',
			'prod.env',
			'.envrc',
			'a/b/server.pem',
			'tls.key',
			'x.p12',
			'x.pfx',
		];
		secret.push(
			'x.keystore',
			'x.jks',
			'id_rsa',
			'id_ed25519',
			'id_rsa.bak',
			'.netrc',
			'.npmrc',
			'.pgpass',
			'.pypirc',
			'credentials',
		);
		secret.push(
			'credentials.json',
			'gcp-credentials.json',
			'credentials.yml',
			'secrets.yaml',
			'client_secret_1.json',
			'x.tfvars',
		);
		secret.push(
			'.ssh/config',
			'.ssh/id_x',
			'.gnupg/x/y',
			'.aws/credentials',
			'.docker/config.json',
			'.kube/config',
			'.git-credentials',
		);
		for (const name of secret) {
			assert.ok(isSecret(`/w/${name}`), name);
			assert.ok(isSecret(`/elsewhere/deep/${name}`), name);
			assert.ok(isSecret(`/w/${name.toUpperCase()}`), name);
		}
		const open = [
			'.env.example',
			'.env.sample',
			'.env.template',
			'.env.local.example',
			'env.ts',
			'environment.ts',
			'src/env/x.ts',
		];
		open.push(
			'keys.ts',
			'key.ts',
			'id_rsa.pub',
			'credentials.ts',
			'useCredentials.ts',
			'secrets.ts',
			'docs/secrets.md',
			'monkey',
			'a.pem.md',
		);
		open.push('config.json', '.docker/Dockerfile', '.ssh/known_hosts');
		for (const name of open) assert.ok(!isSecret(`/w/${name}`), name);
	});

	test('names that some file systems take for the same', () => {
		const { isSecret } = policyOf();
		for (const name of ['.env.', '.env ', '.e\u200bnv', '.env::$DATA', '\uff0eenv', 'server.PEM'])
			assert.ok(isSecret(`/w/${name}`), name);
	});

	test('the setting adds, and takes back with !', () => {
		assert.ok(policyOf('*.vault').isSecret('/w/a/x.vault'));
		assert.ok(policyOf('private/**').isSecret('/v/a/private/x'));
		assert.ok(policyOf('/private/**').isSecret('/v/private/x'));
		assert.ok(!policyOf('/private/**').isSecret('/v/a/private/x'));
		assert.ok(policyOf('~/mine').isSecret('/home/u/mine'));
		assert.ok(!policyOf('~/mine').isSecret('/w/mine'));
		assert.ok(policyOf('//srv/x').isSecret('/srv/x'));
		assert.ok(!policyOf('!.env').isSecret('/w/.env'));
		assert.ok(policyOf('!.env').isSecret('/w/.env.local'));
		assert.ok(!policyOf('!*.pem').isSecret('/w/a.pem'));
	});

	test('a workspace can keep more files back, not fewer', () => {
		const inspected = { globalValue: ['*.vault', '!.npmrc'], workspaceValue: ['*.mine', '!.env'] };
		const values = editorValues((name) => (name === 'context.exclude' ? [inspected] : [{}]));
		assert.deepEqual(values.get('context.exclude'), ['*.mine', '*.vault', '!.npmrc']);
		const flags = layerOfValues('flag', new Map([['context.exclude', ['!*.mine']]]), '/w');
		const editor = layerOfValues('vscode', values, '/w');
		// What is stronger has the last word.
		assert.deepEqual(resolveSettings([flags, editor]).excludes, ['*.mine', '*.vault', '!.npmrc', '!*.mine']);
	});

	test('text that is no pattern switches nothing off', () => {
		for (const odd of ['', '  ', '#x', '[', '[z-a]', '{a', '\\', '/', '//', '!'])
			assert.ok(policyOf(odd).isSecret('/w/.env'), odd);
	});

	test('no rule, mode or hook opens one; whoever cannot ask denies', async () => {
		const texts = { allow: ['Read', 'Edit', 'Bash', 'Read(.env)', 'Edit(.env)', 'Bash(cat *)'] };
		for (const mode of permissionModes) {
			const world: World = {
				mode,
				texts,
				roots,
				home,
				realPath: (path) => Promise.resolve(path),
				hook: { behavior: 'allow' },
			};
			const wanted = mode === 'dontAsk' ? 'deny mode_denies' : 'ask secret';
			assert.equal(codeOf(await judgeFileCall('Read', '/w/.env', world)), wanted, mode);
			assert.equal(codeOf(await judgeFileCall('Grep', '/v/.env', world)), wanted, mode);
			assert.equal(codeOf(await judgeCommandLine('cat .env', '/w', world)), wanted, mode);
			const nobody = await judgeFileCall('Read', '/w/.env', { ...world, interactive: false });
			assert.ok(nobody.verdict === 'deny' && /holds secrets/.test(nobody.message), mode);
		}
		const world: World = { texts, roots, home, realPath: (path) => Promise.resolve(path) };
		const verdict = await judgeFileCall('Read', '/w/.env', world);
		assert.ok(verdict.verdict === 'ask');
		assert.deepEqual(verdict.explanation, { part: '/w/.env', danger: 'secret' });
		assert.equal(verdict.suggestedRule, undefined);
		const denied = await judgeFileCall('Read', '/w/.env', { ...world, texts: { deny: ['Read(.env)'] } });
		assert.equal(codeOf(denied), 'deny deny_rule');
	});

	test('reading a folder whole is reading the secrets in it', async () => {
		const secretsIn = (folder: string) => Promise.resolve([`${folder}/.env`, `${folder}/.env.example`]);
		const world: World = { roots, home, realPath: (path) => Promise.resolve(path), secretsIn };
		for (const text of ['grep -r x .', 'grep -rn x', 'rg --hidden x', 'rg -uu x']) {
			assert.equal(codeOf(await judgeCommandLine(text, '/w', world)), 'ask secret', text);
		}
		for (const text of ['rg x', 'ls -R', 'find . -name x', 'grep x a.ts']) {
			assert.equal(codeOf(await judgeCommandLine(text, '/w', world)), 'allow', text);
		}
		const none: World = { ...world, secretsIn: () => Promise.resolve([]) };
		assert.equal(codeOf(await judgeCommandLine('grep -r x .', '/w', none)), 'allow');
	});
});
