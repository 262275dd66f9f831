// Scenes of what holds for the whole panel: nothing to ask, an update, limits of the service, a full context, a stop.
import type { ContextUse } from '../../../src/shared/contextUse.ts';
import type { Scene } from './sceneParts.ts';
import { base, prompt, text, tool } from './sceneParts.ts';

/** What the fake host says of the context. */
export const contextUse: ContextUse = {
	tokens: 31_200,
	window: 200_000,
	measured: true,
	parts: [
		{ category: 'system', tokens: 620 },
		{ category: 'tools', tokens: 9_400 },
		{ category: 'memory', tokens: 380 },
		{ category: 'summary', tokens: 2_100 },
		{ category: 'prompts', tokens: 1_250 },
		{ category: 'answers', tokens: 4_150 },
		{ category: 'results', tokens: 12_900 },
		{ category: 'notes', tokens: 400 },
	],
	cacheShare: 0.874,
};

const used = { contextTokens: 31_200, costUsd: 0.0492, usage: { input: 412_300, output: 18_250 } };
const asked = prompt('p', 'Check the login module');
const answered = text('t', 'The login module locks a user one failure too late: `user.failures > 5`.');
const read = tool('r', { tool: 'Read', summary: 'src/auth/login.ts', view: { kind: 'none' }, durationMs: 20 });
const folders = ['/w/shop', '/w/library'].map((path) => ({ path, name: path.slice(3) }));
const inThreeHours = () => Date.now() + 3 * 3_600_000;

export const stateScenes: Readonly<Record<string, Scene>> = {
	noKey: { state: { ...base, setup: 'no_key' }, rows: [], earlier: 0 },
	badAddress: {
		state: { ...base, ...used, setup: 'bad_address', model: { id: 'qwen3-coder', name: 'qwen3-coder' } },
		rows: [asked, answered],
		earlier: 0,
	},
	elsewhere: {
		state: { ...base, ...used, openElsewhere: true },
		rows: [
			{ kind: 'prompt', id: 'p', text: 'Check the login module', time: 0, versions: ['o', 'p', 'q'] },
			read,
			answered,
		],
		earlier: 0,
	},
	beginsInFolder: { state: { ...base, folder: '/w/library', folders }, rows: [], earlier: 0 },
	amongOthers: {
		state: { ...base, ...used, folder: '/w/shop', folders, others: { waiting: 1, working: 2, done: 1 } },
		rows: [
			asked,
			tool('l', { tool: 'Read', summary: '/w/library/src/lock.ts', view: { kind: 'none' }, durationMs: 9 }),
			answered,
		],
		earlier: 0,
	},
	noFolder: { state: { ...base, folder: '' }, rows: [], earlier: 0 },
	updated: { state: { ...base, updatedTo: '0.2.0' }, rows: [], earlier: 0 },
	meters: {
		state: { ...base, ...used, maxCostUsd: 5 },
		rows: [asked, read, answered],
		earlier: 0,
	},
	offline: {
		state: {
			...base,
			...used,
			status: 'retrying',
			retryAt: Date.now() + 9_000,
			retry: { code: 'unreachable', args: { host: 'api.anthropic.com' }, attempt: 4 },
		},
		rows: [asked, read],
		earlier: 0,
	},
	overloaded: {
		state: {
			...base,
			...used,
			status: 'retrying',
			retryAt: Date.now() + 31_000,
			retry: { code: 'overloaded', args: { host: 'api.anthropic.com' }, attempt: 3 },
		},
		rows: [
			asked,
			{ kind: 'notice', id: 'n', code: 'model_fallback', args: { from: 'Claude Opus 5', to: 'Claude Sonnet 5' } },
		],
		earlier: 0,
	},
	limited: {
		state: { ...base, ...used, maxCostUsd: 0.06, rateLimit: { until: inThreeHours() } },
		rows: [asked, answered],
		earlier: 0,
	},
	full: {
		state: { ...base, ...used, contextTokens: 186_400, costUsd: 2.31 },
		rows: [asked, answered],
		earlier: 0,
	},
	stopped: {
		state: { ...base, ...used, status: 'stopped' },
		rows: [asked, read, { kind: 'notice', id: 'n', code: 'interrupted', args: {} }],
		earlier: 0,
	},
	wentBack: {
		state: { ...base, ...used, wentBack: true },
		rows: [asked, answered],
		earlier: 0,
	},
	untrusted: {
		state: { ...base, ...used, trusted: false, canContinue: true },
		rows: [asked, read, { kind: 'notice', id: 'n', code: 'host_restarted', args: {} }],
		earlier: 0,
	},
};
