// Permissions as a whole: rules that forbid only ever take away, a compound is no looser than its parts, modes are in order,
// and plan mode writes nothing. Random rules and calls, through the real parser; fast-check tells the seed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { permissionModes } from '../../src/shared/permission.ts';
import type { PermissionMode } from '../../src/shared/permission.ts';
import { judge } from '../../src/core/permissions/engine.ts';
import { analyseCommand } from '../../src/core/permissions/shell/analyseCommand.ts';
import type { Verdict } from '../../src/core/permissions/verdict.ts';
import { codeOf, judgeCommandLine, judgeFileCall, secretsFor, shellParser, sourced } from '../support/permissions.ts';
import type { Texts, World } from '../support/permissions.ts';

const roots = ['/w', '/v'];
const home = '/home/u';
const links = new Map([
	['/w/link', '/tmp'],
	['/w/in', '/w/src'],
	['/w/git', '/w/.git'],
]);

function realPath(path: string): Promise<string> {
	for (const [link, target] of links) {
		if (path === link || path.startsWith(`${link}/`)) return Promise.resolve(target + path.slice(link.length));
	}
	return Promise.resolve(path);
}

const files = [
	'a.ts',
	'src/a.ts',
	'in/a.ts',
	'../o.txt',
	'/etc/hosts',
	'link/x',
	'.env',
	'.git/config',
	'git/x',
	'/v/b',
	'~/x',
	'*.ts',
	'$X',
];
const programs = [
	'ls',
	'cat',
	'head',
	'grep x',
	'echo',
	'cp',
	'mv',
	'rm',
	'rm -rf',
	'touch',
	'mkdir',
	'tee',
	'sed -i s/a/b/',
];
programs.push(
	'npm test',
	'npm run x',
	'git status',
	'git commit -m x',
	'git -c a=b log',
	'git push',
	'node x.js',
	'find .',
	'find . -delete',
);
programs.push(
	'sudo npm test',
	'env A=1 npm test',
	'FOO=1 npm test',
	'NODE_ENV=test npm test',
	'timeout 5 npm test',
	'bash -c',
	'eval',
	'$X',
	'xargs rm',
);

const file = fc.constantFrom(...files);
const simple = fc
	.tuple(
		fc.constantFrom(...programs),
		fc.array(file, { maxLength: 2 }),
		fc.option(fc.tuple(fc.constantFrom('>', '>>', '2>', '<'), file)),
	)
	.map(([program, args, redirect]) => [program, ...args, ...(redirect === null ? [] : redirect)].join(' '));
const nested = simple.chain((inner) =>
	fc.constantFrom(inner, `echo $(${inner})`, `(${inner})`, `if ls; then ${inner}; fi`, `cat <(${inner})`, `! ${inner}`),
);
const operator = fc.constantFrom(' && ', ' || ', '; ', ' | ', ' & ', '\n', ' |& ');
const command = fc.oneof(
	simple,
	nested,
	fc.tuple(nested, operator, nested).map((parts) => parts.join('')),
);

const inner = fc.oneof(
	fc.constantFrom(
		...programs,
		...programs.map((program) => `${program} *`),
		...programs.map((program) => `${program}:*`),
		'git * x',
		'n*',
		'*',
	),
	simple,
);
const commandRule = inner.map((text) => `Bash(${text})`);
const pathRule = fc
	.tuple(
		fc.constantFrom('Read', 'Edit'),
		fc.constantFrom(...files, 'src/**', './src/**', '/src/**', '//etc/**', '~/**', '*.ts', '**', '.git/**'),
	)
	.map(([tool, path]) => `${tool}(${path})`);
const rule = fc.oneof(commandRule, pathRule, fc.constantFrom('Bash', 'Edit', 'Read', 'Bash(', 'Edit(../x)', '*'));
const rules = fc.record({
	allow: fc.array(rule, { maxLength: 4 }),
	ask: fc.array(rule, { maxLength: 2 }),
	deny: fc.array(rule, { maxLength: 2 }),
});
const call = fc.oneof(
	{ weight: 3, arbitrary: command },
	{
		weight: 1,
		arbitrary: fc.tuple(fc.constantFrom('Read', 'Grep', 'Edit', 'Write', 'NotebookEdit'), fc.constantFrom(...files)),
	},
);
type Call = string | readonly [string, string];
const mode = fc.constantFrom(...permissionModes);

function verdictOn(
	what: Call,
	texts: Texts,
	more: Partial<World> & { readonly mode: PermissionMode },
): Promise<Verdict> {
	const world: World = { roots, home, realPath, texts, ...more };
	if (typeof what === 'string') return judgeCommandLine(what, '/w', world);
	return judgeFileCall(what[0], what[1].startsWith('/') ? what[1] : `/w/${what[1]}`, world);
}

const ranks = { deny: 0, ask: 1, allow: 2 } as const;
const rankOf = ({ verdict }: Verdict): number => ranks[verdict];
const runs = { numRuns: 400 };

suite('property: permissions', () => {
	test('one more deny or ask rule never loosens, one more allow rule never tightens', async () => {
		await fc.assert(
			fc.asyncProperty(call, rules, rule, mode, async (what, texts, added, now) => {
				const before = rankOf(await verdictOn(what, texts, { mode: now }));
				for (const kind of ['deny', 'ask'] as const) {
					const more = { ...texts, [kind]: [...texts[kind], added] };
					assert.ok(rankOf(await verdictOn(what, more, { mode: now })) <= before, kind);
				}
				const allowed = { ...texts, allow: [...texts.allow, added] };
				assert.ok(rankOf(await verdictOn(what, allowed, { mode: now })) >= before, 'allow');
			}),
			runs,
		);
	});

	test('a compound is never looser than its parts', async () => {
		await fc.assert(
			fc.asyncProperty(simple, operator, simple, rules, mode, async (first, sign, second, texts, now) => {
				const whole = `${first}${sign}${second}`;
				const both = await Promise.all([first, second].map((part) => verdictOn(part, texts, { mode: now })));
				const got = await verdictOn(whole, texts, { mode: now });
				assert.ok(
					rankOf(got) <= Math.min(...both.map(rankOf)),
					`${JSON.stringify(whole)}: ${codeOf(got)}, parts ${both.map(codeOf).join(', ')}`,
				);
			}),
			{
				...runs,
				examples: [
					['$X', ' && ', 'find . -delete', { allow: [], ask: [], deny: [] }, 'bypassPermissions'],
					[
						'NODE_ENV=test npm test',
						' && ',
						'ls',
						{ allow: [], ask: [], deny: ['Bash(NODE_ENV=test npm test)'] },
						'default',
					],
				],
			},
		);
	});

	test('modes are in order: dontAsk, default, acceptEdits, bypassPermissions', async () => {
		await fc.assert(
			fc.asyncProperty(call, rules, fc.boolean(), async (what, texts, interactive) => {
				const order = ['dontAsk', 'default', 'acceptEdits', 'bypassPermissions'] as const;
				const found = await Promise.all(
					order.map(async (now) => rankOf(await verdictOn(what, texts, { mode: now, interactive }))),
				);
				assert.deepEqual(
					found,
					found.toSorted((a, b) => a - b),
				);
			}),
			runs,
		);
	});

	test('plan mode permits no write, whatever rules and hooks say', async () => {
		await fc.assert(
			fc.asyncProperty(call, rules, fc.boolean(), async (what, texts, hooked) => {
				const hook = hooked ? { hook: { behavior: 'allow' } as const } : {};
				const verdict = await verdictOn(what, { ...texts, deny: [] }, { mode: 'plan', ...hook });
				if (verdict.verdict === 'deny') return;
				if (typeof what !== 'string') return assert.ok(what[0] === 'Read' || what[0] === 'Grep', what[0]);
				const analysis = await analyseCommand(what, { shell: 'bash', cwd: '/w', home, parser: shellParser });
				assert.ok(analysis.readOnly && analysis.writes.length === 0 && analysis.unclear.length === 0, what);
			}),
			runs,
		);
		const use = { access: { kind: 'use', readOnly: false }, detail: { kind: 'generic', input: '' } } as const;
		const base = { tool: 'mcp__a__b', rules: sourced({ allow: ['mcp__a__b'] }), roots, interactive: true, realPath };
		assert.equal((await judge({ ...base, need: use, mode: 'plan' })).verdict, 'deny');
		const looking = { ...use, access: { kind: 'use', readOnly: true } } as const;
		assert.equal((await judge({ ...base, need: looking, mode: 'plan' })).verdict, 'allow');
	});

	test('where nobody can be asked, nothing asks', async () => {
		await fc.assert(
			fc.asyncProperty(call, rules, mode, async (what, texts, now) => {
				assert.notEqual((await verdictOn(what, texts, { mode: now, interactive: false })).verdict, 'ask');
				assert.notEqual((await verdictOn(what, texts, { mode: 'dontAsk' })).verdict, 'ask');
			}),
			runs,
		);
	});

	test('a hook that allows spares the prompt and nothing else; one that denies is final', async () => {
		await fc.assert(
			fc.asyncProperty(call, rules, mode, async (what, texts, now) => {
				const plain = await verdictOn(what, texts, { mode: now });
				const denied = await verdictOn(what, texts, { mode: now, hook: { behavior: 'deny', reason: 'no' } });
				assert.ok(denied.verdict === 'deny' && denied.message === 'no');
				const allowed = await verdictOn(what, texts, { mode: now, hook: { behavior: 'allow' } });
				if (plain.verdict === 'deny' && plain.reason.code === 'deny_rule') assert.equal(allowed.verdict, 'deny');
				const firm = ['ask_rule', 'protected_path', 'critical_path', 'secret'];
				if (plain.verdict === 'ask' && firm.includes(plain.reason.code)) assert.equal(allowed.verdict, 'ask');
				assert.ok(rankOf(allowed) >= rankOf(plain));
			}),
			runs,
		);
	});

	test('what is allowed outright lies in the workspace, is no secret and is not protected', async () => {
		const policy = secretsFor(roots, home);
		await fc.assert(
			fc.asyncProperty(command, fc.constantFrom('default', 'acceptEdits', 'dontAsk'), async (what, now) => {
				const verdict = await verdictOn(what, {}, { mode: now });
				if (verdict.verdict !== 'allow') return;
				const { reads, writes, unclear } = await analyseCommand(what, {
					shell: 'bash',
					cwd: '/w',
					home,
					parser: shellParser,
				});
				assert.deepEqual(unclear, []);
				for (const { path } of [...reads, ...writes]) {
					assert.ok(path !== undefined, what);
					const real = await realPath(path);
					assert.ok(/^\/[wv](?:\/|$)/.test(real) && !policy.isSecret(real), `${what}: ${real}`);
				}
				for (const { path } of writes) assert.ok(!(await realPath(path ?? '')).includes('/.git'), what);
			}),
			runs,
		);
	});
});
