// Scenes of what one reads: formulas, diagrams, long code, right-to-left text, a long conversation.
import type { Row } from '../../../src/shared/view.ts';
import { base, prompt, text, tool } from './sceneParts.ts';
import type { Scene } from './sceneParts.ts';

const rich = String.raw`The failures follow a geometric law, so with $p = 0.1$ the expected number is $\frac{1}{p}$, and

$$
E[N] = \sum_{k=1}^{\infty} k\,p\,(1-p)^{k-1} = \frac{1}{p}, \qquad \operatorname{Var}(N) = \frac{1-p}{p^2}
$$

It costs $5 or $10, whatever \(\sqrt{x_1^2 + x_2^2}\) says.

${'```'}mermaid
flowchart LR
	A[Request] --> B{Locked?}
	B -- yes --> C[Refuse]
	B -- no --> D[Check password]
	D --> E[(Users)]
${'```'}

${'```'}ts src/auth/login.ts
/** Locked after five failures. */
const isLocked = (user: User): boolean => user.failures >= 5;
${'```'}

- [x] formula checked
- [ ] diagram approved
`;

const hebrew =
	'נעילת החשבון קורית אחרי **חמישה** כישלונות, ראו `src/auth/login.ts:7`.\n\n1. קראתי את הקובץ\n2. תיקנתי\n\n- [x] נבדק';

const read = (id: string, path: string): Row =>
	tool(id, {
		tool: 'Read',
		summary: path,
		view: { kind: 'read', path, firstLine: 1, lines: 2, text: 'const limit = 5;\nexport { limit };\n', partial: false },
		durationMs: 20,
	});

/** `count` exchanges of a prompt, a call and an answer. */
export function longConversation(count: number): readonly Row[] {
	return Array.from({ length: count }, (_, at): readonly Row[] => [
		prompt(`q${at}`, `Question ${at}: what does part ${at} do?`),
		read(`r${at}`, `src/part${at}.ts`),
		text(
			`t${at}`,
			`Part **${at}** keeps the limit, see \`src/part${at}.ts:1\`.\n\n- one\n- two\n\n\`\`\`ts\nconst a = ${at};\n\`\`\``,
		),
	]).flat();
}

export const readingScenes: Readonly<Record<string, Scene>> = {
	rich: { state: base, rows: [prompt('p', 'How often does it fail?'), text('a', rich)], earlier: 0 },
	reads: {
		state: { ...base, status: 'ready' },
		rows: [
			prompt('p', 'Read the module'),
			...['login', 'session', 'password', 'hash'].map((name, at) => read(`r${at}`, `src/auth/${name}.ts`)),
			text('a', 'All four keep the limit.'),
			read('s0', 'README.md'),
			text('b', 'Done.'),
		],
		earlier: 0,
	},
	rtl: { state: base, rows: [prompt('p', 'מתי החשבון ננעל?'), text('a', hebrew)], earlier: 0 },
	long: { state: base, rows: longConversation(66), earlier: 9800 },
};
