// Removals past repair, however they are written: they ask whatever mode, rules and hooks say. Ordinary ones are left alone.
import assert from 'node:assert/strict';
import { codeOf, judgeCommandLine } from '../../support/permissions.ts';

const judged = async (line: string, shell = 'bash') =>
	codeOf(
		await judgeCommandLine(line, '/w', {
			shell,
			roots: ['/w', '/v'],
			home: '/home/u',
			realPath: (path) => Promise.resolve(path),
			texts: { allow: ['Bash', 'Bash(rm *)', 'Bash(find *)', 'Bash(git *)', 'Bash(rsync *)'] },
			hook: { behavior: 'allow' },
			mode: 'bypassPermissions',
		}),
	);

const everywhere = ['/', '/etc', '~', '$HOME', '"${HOME}"', '/home/u', '..', '/w', '.', '$(pwd)'];

suite('permissions: removals past repair', () => {
	test('each way to remove a place that must stay asks', async () => {
		const ways: readonly ((place: string) => string)[] = [
			(place) => `rm --rec ${place}`,
			(place) => `find ${place} -type f -delete`,
			(place) => `find ${place} -exec rm -rf {} +`,
			(place) => `find ${place} -type f -exec rm {} \\;`,
			(place) => `find ${place} -execdir sudo rm {} +`,
			(place) => `find ${place} -exec sh -c 'rm "$1"' _ {} \\;`,
			(place) => `find ${place} | xargs rm -rf`,
			(place) => `find ${place} -print0 | xargs -0 -n1 rm -r`,
			(place) => `echo ${place} | xargs -I{} rm -rf {}`,
			(place) => `cd ${place} && find . -type f -exec rm {} +`,
			(place) => `pushd ${place}; git clean -fdx`,
			(place) => `git -C ${place} clean -xdf`,
			(place) => `rsync -a --delete /tmp/empty/ ${place}`,
			(place) => `rsync -av --del x/ ${place}`,
			(place) => `a=(${place}); rm -rf "\${a[@]}"`,
			(place) => `set -- ${place}; rm -rf "$@"`,
			(place) => `fd . ${place} -x rm -rf`,
			(place) => `npx rimraf ${place}`,
		];
		for (const way of ways) {
			for (const place of everywhere) assert.equal(await judged(way(place)), 'ask critical_path', way(place));
		}
	});

	test('patterns that mean all of a folder, dot files among them', async () => {
		for (const pattern of ['*', '.*', '.[!.]*', '.??*', '*.*', '**/*', '{*,.*}', '{.,src}']) {
			assert.equal(await judged(`rm -rf ${pattern}`), 'ask critical_path', pattern);
			for (const folder of ['/w', '.', '~', '"$PWD"', '/']) {
				const line = `rm -rf ${folder}/${pattern}`;
				assert.equal(await judged(line), 'ask critical_path', line);
			}
		}
		for (const root of ['*', './*', '~/*', '"$HOME/"*', '/w/*', '/w/{*,.*}', '"$X"/']) {
			assert.equal(await judged(`find ${root} -delete`), 'ask critical_path', root);
		}
	});

	test('a variable is the place that it is known to be, or may be any', async () => {
		for (const place of ['"${HOME:?}"', '${X%/}', '${X:-/}', '"${X:-.}"/*', '$@', '$*', '"${1}"']) {
			assert.equal(await judged(`rm -rf ${place}`), 'ask critical_path', place);
		}
	});

	test('what is known to lie below is not asked about', async () => {
		for (const line of [
			'rm -rf build',
			'rm -rf dist/*',
			'rm -rf {dist,build}',
			'rm -rf ./{dist,build}/',
			'rm -rf /w/dist /v/out',
			'rm -rf src/*.js',
			'rm -f *.log',
			'find dist -delete',
			'find src -name "*.orig" -exec rm {} +',
			"find . -name '*.pyc' -delete",
			'find . -type d -name node_modules -exec rm -rf {} +',
			'find /w -iname "*.tmp" -exec rm {} \\;',
			'find . -name "*.js" -exec grep -l rm {} +',
			'ls | xargs rm',
			'git clean -fdx dist',
			'git clean -n',
			'git clean --dry-run -d',
			'rsync -a --delete src/ dist/',
			'rsync -a --delete ./ host:/srv/www',
			'rsync -a src/ .',
			'mv dist/* .',
			'mv *.md docs',
			'git rm -r --cached src',
		]) {
			assert.equal(await judged(line), 'allow', line);
		}
	});

	test('a name narrows a search down only where the agent works, and only if it must match', async () => {
		for (const line of [
			"find / -name '*.pyc' -delete",
			"find ~ -name '*.pyc' -delete",
			"find .. -name '*.pyc' -exec rm {} +",
			"find . -name '*' -delete",
			"find . -name '*.pyc' -o -delete",
			"find . ! -name '*.pyc' -delete",
			"find . -not -name '*.pyc' -exec rm {} +",
			'find . -name "$X" -delete',
			"find . -delete -name '*.pyc'",
		]) {
			assert.equal(await judged(line), 'ask critical_path', line);
		}
	});

	test('more alternatives than anybody can look at ask, at once', async () => {
		const many = `{${Array.from({ length: 1500 }, (_, index) => index.toString(36)).join(',')}}`;
		assert.equal(await judged(`rm -r x${many}${many}`), 'ask critical_path');
		assert.equal(await judged('rm -r dist/{a,b}{c,d}'), 'allow');
		assert.equal(await judged('rm -r dist/{a,..}/{b,..}'), 'ask critical_path');
	});

	test('in PowerShell, too', async () => {
		for (const line of [
			'Remove-Item -Recurse -Force $HOME',
			'Remove-Item -Recurse $env:USERPROFILE',
			'Remove-Item * -Recurse',
			'ri -r ..',
			'del -Recurse /etc',
			'Get-ChildItem | Remove-Item -Recurse -Force',
			'ls | % { rm -r $_ }',
			'Remove-Item -Recurse (Get-Location)',
			'Set-Location /; Remove-Item -Recurse *',
			'Invoke-Expression "Remove-Item -Recurse /etc"',
			'cmd /c "rd /s /q C:\\Users"',
			'cmd /c rd /s /q C:\\',
		]) {
			assert.equal(await judged(line, 'pwsh'), 'ask critical_path', line);
		}
		for (const line of ['Remove-Item -Recurse build', 'Remove-Item build/* -Recurse', 'Remove-Item *.log -Force']) {
			assert.equal(await judged(line, 'pwsh'), 'allow', line);
		}
	});
});
