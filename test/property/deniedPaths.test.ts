// A path that a rule forbids stays forbidden however it is spelled: case, Unicode form, dots and slashes, links, quotes of the
// shell; by tools and by commands. fast-check tells the seed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionModes } from '../../src/shared/permission.ts';
import { codeOf, judgeCommandLine, judgeFileCall } from '../support/permissions.ts';

const roots = ['/w'];
const name = fc.constantFrom(
	'src',
	'Key',
	'a.b',
	'ü',
	'école',
	'секрет',
	'秘密',
	'ａ',
	'ς',
	'i',
	'with space',
	'.hidden',
	"it's",
	'#x',
);
const names = fc.array(name, { minLength: 1, maxLength: 3 });
/** `/w/at` leads to `/w`. */
const realPath = (path: string) => Promise.resolve(path.replace(/^\/w\/at(?=\/|$)/, '/w'));

type Spell = (path: readonly string[]) => string;
const spellings = fc.constantFrom<Spell>(
	(path) => path.join('/'),
	(path) => path.join('/').normalize('NFD'),
	(path) => path.join('/').normalize('NFC'),
	(path) => path.map(otherCase).join('/'),
	(path) => path.map(otherCase).join('/').normalize('NFD'),
	(path) => `./${path.join('/./')}`,
	(path) => `.//${path.join('//')}`,
	(path) => `at/${path.join('/')}`,
	(path) => `/w/${path.join('/')}`,
	(path) => `//w/at//${path.join('/')}`,
);

/** Where that can be taken back. */
function otherCase(segment: string): string {
	const turned = segment === segment.toUpperCase() ? segment.toLowerCase() : segment.toUpperCase();
	return turned.toLowerCase() === segment.toLowerCase() ? turned : segment;
}

const quoted = fc.constantFrom<(word: string) => string>(
	(word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
	(word) => `"${word}"`,
	(word) => word.replace(/[\s'#]/g, String.raw`\$&`),
	(word) => `"${word.slice(0, 2)}"'${word.slice(2).replaceAll("'", String.raw`'\''`)}'`,
);
const reading = [
	'cat %',
	'head -3 < %',
	'grep x %',
	'cp % o',
	'ls; tail %',
	'echo "$(cat %)"',
	'diff a %',
	'sort -o o %',
];
const writing = [
	'echo x > %',
	'touch %',
	'cp a %',
	'tee % < a',
	'rm %',
	"sed -i 's/a/b/' %",
	'true && mv a %',
	'echo x >> %',
];

suite('property: denied paths', () => {
	test('are denied by every spelling, in every mode', async () => {
		const form = fc.constantFrom<(path: string) => string>(
			(path) => path,
			(path) => `/${path}`,
			(path) => `./${path}`,
			(path) => `${path}/**`,
			(path) => `//w/${path}`,
			(path) => path.normalize('NFD'),
		);
		const how = fc.record({
			form,
			spell: spellings,
			quote: quoted,
			mode: fc.constantFrom(...permissionModes),
			reads: fc.boolean(),
			line: fc.nat(7),
		});
		await fc.assert(
			fc.asyncProperty(names, how, async (path, { form: rule, spell, quote, mode, reads, line }) => {
				const deny = [`${reads ? 'Read' : 'Edit'}(${rule(path.join('/'))})`];
				const world = { roots, realPath, mode, texts: { allow: ['Bash', 'Read', 'Edit', 'Bash(*)'], deny } };
				const written = spell(path);
				const tool = codeOf(await judgeFileCall(reads ? 'Read' : 'Write', absolute(written), world));
				assert.equal(tool, 'deny deny_rule', `${deny.join()} and ${written}`);
				const text = (reads ? reading : writing)[line]?.replace('%', () => quote(written)) ?? assert.fail();
				const command = codeOf(await judgeCommandLine(text, '/w', world));
				assert.equal(command, 'deny deny_rule', `${deny.join()} and ${text}`);
			}),
			{ numRuns: 200 },
		);
	});
});

function absolute(path: string): string {
	return path.startsWith('/') ? path : `/w/${path}`;
}
