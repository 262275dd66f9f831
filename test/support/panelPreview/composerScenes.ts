// The composer: with everything that can go with a message, and while the agent works.
import type { MentionItem } from '../../../src/shared/composer.ts';
import type { Row } from '../../../src/shared/view.ts';
import type { Scene } from './sceneParts.ts';
import { base, text } from './sceneParts.ts';

const selection = {
	kind: 'selection',
	path: '/home/ada/sample/src/auth/login.ts',
	name: 'login.ts',
	firstLine: 5,
	lastLine: 16,
	shared: true,
	withheld: false,
} as const;

const shot = { kind: 'image', id: 'i', name: 'shot.png', mediaType: 'image/png', width: 800, height: 600 } as const;
const { name: _name, shared: _shared, withheld: _withheld, ...selected } = selection;
const rows: readonly Row[] = [
	{
		kind: 'prompt',
		id: 'p',
		text: 'Why does the login fail after five tries?',
		time: 0,
		attachments: [shot, selected],
	},
	text('a', 'I look at `src/auth/login.ts`.'),
];

export const composerScenes: Readonly<Record<string, Scene>> = {
	composer: { rows, earlier: 0, state: { ...base, selection } },
	composerQueue: {
		rows,
		earlier: 0,
		state: {
			...base,
			status: 'working',
			selection: { ...selection, name: '.env', withheld: true },
			queued: [
				{ id: 'q1', text: 'Then write a test for it, in the style of the tests that are there already, please.' },
				{ id: 'q2', text: 'Summarise what you changed.', afterExchange: true },
				{
					id: 'q3',
					text: '',
					attachments: [shot],
				},
			],
		},
	},
};

/** What the fake host finds for any query. */
export const mentionItems: readonly MentionItem[] = [
	{ kind: 'file', label: 'login.ts', hits: [0, 1, 2], detail: 'src/auth', insert: '@src/auth/login.ts' },
	{ kind: 'folder', label: 'login/', hits: [0, 1, 2], detail: 'src', insert: '@src/login/' },
	{
		kind: 'file',
		label: 'a file with a very long name that does not fit into a narrow panel.ts',
		hits: [],
		detail: 'src/some/folder/that/is/long/as/well',
		insert: '@"src/a file with a very long name that does not fit into a narrow panel.ts"',
	},
	{ kind: 'symbol', label: 'login', hits: [0, 1, 2], detail: 'src/auth/login.ts:5', insert: '@src/auth/login.ts:5-12' },
	{ kind: 'problems', label: 'Problems', hits: [], detail: '3 errors, 1 warning', insert: '@problems' },
	{ kind: 'terminal', label: 'Terminal', hits: [], detail: 'Last command: bash', insert: '@terminal' },
	{ kind: 'topic', label: 'Earlier conversations', hits: [], detail: '', insert: '@session:' },
];
