// Names of where rules lie, in English: the key of the l10n bundle for the panel and for the host alike.
import type { RuleOrigin, RuleScope } from './permission.ts';

export const scopeNames: Readonly<Record<RuleScope, string>> = {
	session: 'This session',
	mine: 'This workspace, for me',
	shared: 'This workspace, shared',
	everywhere: 'Everywhere',
};

/** Where the rule will lie, short. */
export const scopePlaces: Readonly<Record<RuleScope, string>> = {
	session: 'until the conversation ends',
	mine: '~/.loopwright, for this folder',
	shared: '.loopwright/settings.json here',
	everywhere: '~/.loopwright/settings.json',
};

export const originNames: Readonly<Record<RuleOrigin['source'], string>> = {
	...scopeNames,
	managed: 'Managed by your organisation',
	flag: 'Command line',
	environment: 'Environment',
	vscode: 'Settings of the editor',
	claudeEverywhere: 'Claude settings, everywhere',
	claudeShared: 'Claude settings, this workspace, shared',
	claudeMine: 'Claude settings, this workspace, for me',
};
