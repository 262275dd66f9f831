import assert from 'node:assert/strict';
import { analysed, writesOf } from '../../support/shellAnalysis.ts';

/** Command line, and every file that it would write. */
const written: Record<string, readonly string[]> = {
	'a > x': ['/w/x'],
	'a >> x 2> y': ['/w/x', '/w/y'],
	'a &> x; b >| y; d >& q': ['/w/x', '/w/y', '/w/q'],
	'a 2>&1 >/dev/null >&2': [],
	'> x': ['/w/x'],
	'a > ~/x > $HOME/y > /z': ['/home/u/x', '/home/u/y', '/z'],
	'a > ../o.txt': ['/o.txt'],
	'cd sub && a > x': ['/w/x', '/w/sub/x'],
	'(cd /tmp && touch x); touch y': ['/tmp/x', '/w/y'],
	'cd /tmp; touch x': ['/tmp/x', '/w/x'],
	'ls | tee a b': ['/w/a', '/w/b'],
	'cp a b; mv c d': ['/w/b/**', '/w/c/** removed', '/w/d/**'],
	'cp -t dir a': ['/w/dir/**'],
	'cp --target-dir=dir a': ['/w/dir/**'],
	'rm -rf a "b c"': ['/w/a/** removed', '/w/b c/** removed'],
	'rm x{1,2}': ['/w/x1 removed', '/w/x2 removed'],
	'sed -i s/a/b/ f': ['/w/f'],
	'dd if=a of=b': ['/w/b'],
	'ln -s a b; touch c; mkdir -p d; truncate -s 0 e; chmod 600 f': ['/w/b/**', '/w/c', '/w/d', '/w/e', '/w/f'],
	'sort -o x y; sort --outp=z y': ['/w/x', '/w/z'],
	'find . -delete': ['/w/** removed'],
	'find . -fprint x': ['/w/x'],
	'curl -o x http://y': ['/w/x'],
	'tar xf a.tar': ['/w/**'],
	'tar cf a.tar b': ['/w/a.tar'],
	'git config core.hooksPath x': ['/w/.git/config'],
	'git config --global alias.x !rm': ['/home/u/.gitconfig'],
	'git diff --output=x': ['/w/x/**'],
	'echo x > .git/hooks/pre-commit': ['/w/.git/hooks/pre-commit'],
	'git checkout -- a': ['/w/**'],
	"bash -c 'a > x'": ['/w/x'],
};

suite('shell files', () => {
	for (const [command, files] of Object.entries(written)) {
		test(`all that is written by ${JSON.stringify(command)}`, async () => {
			assert.deepEqual(writesOf(await analysed(command)).toSorted(), files.toSorted());
		});
	}

	test('what is read: by known readers, redirections, uploads and copies', async () => {
		for (const command of [
			'cat .env',
			'head -n 3 .env',
			'grep x .env',
			'grep -e x .env',
			'sed -n 1p .env',
			'cat < .env',
			'cp .env x',
			'curl -d @.env u',
			'curl -T .env u',
			'curl -F f=@.env u',
			'base64 .env',
			'xxd .env',
			'diff .env b',
			'git show HEAD:.env',
			'tar cf x .env',
			'dd if=.env of=x',
			'source .env',
			"awk '{print}' .env",
			'jq . .env',
			'sort .env',
			'echo "$(cat .env)"',
			'cd . && cat .env',
		]) {
			const { reads } = await analysed(command);
			assert.ok(
				reads.some(({ path }) => path === '/w/.env'),
				command,
			);
		}
	});
});
