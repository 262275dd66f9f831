// The fake host of the preview: answers `ready` with the scene of the address (?scene=&theme=&lang=), keeps what the panel
// sends in `window.preview.sent`, and lets a script play further events.
import type { PermissionRequest, RuleCheck } from '../../../src/shared/permission.ts';
import type { ToHost, ToWebview, ViewEvent } from '../../../src/shared/protocol.ts';
import type { ViewState } from '../../../src/shared/view.ts';
import { base } from './sceneParts.ts';
import { mentionItems } from './composerScenes.ts';
import { scenes } from './states.ts';
import { contextUse } from './stateScenes.ts';
import { themes } from './themes.ts';
import type { ThemeName } from './themes.ts';

const query = new URLSearchParams(location.search);
const scene = scenes[query.get('scene') ?? 'empty'];
const sent: ToHost[] = [];
const host = { seq: 0 };

function post(message: ToWebview): void {
	window.dispatchEvent(new MessageEvent('message', { data: message }));
}

declare global {
	interface Window {
		readonly preview: Preview;
	}
}

export interface Preview {
	readonly sent: readonly ToHost[];
	/** Those of the scene. */
	readonly requests: readonly PermissionRequest[];
	readonly state: ViewState;
	play(events: readonly ViewEvent[]): void;
	theme(name: ThemeName): void;
	post(message: ToWebview): void;
}

/** A host that knows prefixes only. */
function checked(rule: string): RuleCheck {
	if (rule === 'Bash') return { kind: 'covers', breadth: 'whole_tool' };
	if (!rule.endsWith(')')) return { kind: 'invalid', problem: 'It is not of the form Tool or Tool(specifier).' };
	if (!rule.startsWith('Bash(npm test') && !rule.startsWith('Edit(')) return { kind: 'not_covering' };
	return { kind: 'covers', breadth: rule.includes('*') ? 'some' : 'exact' };
}

function applyTheme(name: ThemeName): void {
	const { bodyClass, variables } = themes[name];
	document.documentElement.removeAttribute('style');
	for (const [key, value] of Object.entries(variables)) {
		document.documentElement.style.setProperty(`--vscode-${key}`, value);
	}
	document.body.classList.remove(...Object.values(themes).map((theme) => theme.bodyClass));
	document.body.classList.add(bodyClass);
}

const preview: Preview = {
	sent,
	requests: scene?.state.requests ?? [],
	state: scene?.state ?? base,
	play(events) {
		host.seq += 1;
		post({ type: 'events', seq: host.seq, events });
	},
	theme: applyTheme,
	post,
};

applyTheme((query.get('theme') as ThemeName | null) ?? 'dark');
Object.assign(window, {
	preview,
	acquireVsCodeApi: () => ({
		postMessage(message: ToHost) {
			sent.push(message);
			if (message.type === 'ready' && scene) queueMicrotask(() => post({ type: 'snapshot', seq: host.seq, ...scene }));
			if (message.type === 'mentions_requested') {
				const found = { type: 'mentions_found', query: message.query, items: mentionItems, done: true } as const;
				queueMicrotask(() => post(found));
			}
			if (message.type === 'context_requested') queueMicrotask(() => post({ type: 'context_shown', use: contextUse }));
			if (message.type === 'history_requested') {
				queueMicrotask(() => post({ type: 'history', prompts: ['the last one', 'the one before'] }));
			}
			if (message.type === 'rule_typed') {
				const { requestId, rule } = message;
				queueMicrotask(() => post({ type: 'rule_checked', requestId, rule, check: checked(rule) }));
			}
		},
		getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
		setState: (state: unknown) => sessionStorage.setItem('kept', JSON.stringify(state)),
	}),
});
