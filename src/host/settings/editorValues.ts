// Which of the editor's settings count: those that are set, and of what could lift an approval, lead requests elsewhere or cost
// more only the person's own. No `vscode`.
import { checkValue, settingNames, type SettingName, type SettingValue } from '../../node/settings/definitions.ts';
import { isTakenBack } from '../../node/settings/layers.ts';
import type { SettingValues } from '../../node/settings/settingsReader.ts';

/** As VS Code tells where a value is set. */
export interface Inspected {
	readonly globalValue?: unknown;
	readonly workspaceValue?: unknown;
	readonly workspaceFolderValue?: unknown;
}

/** A setting in the window, and again for each folder of it. */
export type Inspect = (name: SettingName) => readonly Inspected[];

/** Contract: of these a workspace has no say, whatever scope the manifest gives them. */
const personal: ReadonlySet<SettingName> = new Set([
	'provider',
	'baseUrl',
	'permissions.allow',
	'permissions.allowBypass',
	'additionalDirectories',
	'cleanupPeriodDays',
]);
/** Lists that take rights away: everyone's are put together. */
const forbidding: ReadonlySet<SettingName> = new Set(['permissions.ask', 'permissions.deny']);
/** Modes that a workspace may choose: they do nothing unasked. */
const harmlessModes: readonly unknown[] = ['default', 'plan', 'dontAsk'];

export function editorValues(inspect: Inspect): SettingValues {
	const values = new Map<SettingName, SettingValue>();
	for (const name of settingNames) {
		const value = valueOf(name, inspect(name));
		const checked = value === undefined ? undefined : checkValue(name, value);
		if (checked?.ok) values.set(name, checked.value);
	}
	return values;
}

function valueOf(name: SettingName, found: readonly Inspected[]): unknown {
	const [window] = found;
	if (personal.has(name)) return window?.globalValue;
	if (forbidding.has(name)) return everyones(found);
	if (name === 'context.exclude') return excludesOf(found);
	const ofWorkspace = window?.workspaceFolderValue ?? window?.workspaceValue;
	if (name === 'permissionMode' && !harmlessModes.includes(ofWorkspace)) return window?.globalValue;
	return ofWorkspace ?? window?.globalValue;
}

/** A workspace can keep more files back, not fewer. */
function excludesOf(found: readonly Inspected[]): readonly string[] | undefined {
	const own = everyones(found.map(({ globalValue }) => ({ globalValue }))) ?? [];
	const others =
		everyones(found.map(({ workspaceValue, workspaceFolderValue }) => ({ workspaceValue, workspaceFolderValue }))) ??
		[];
	const all = [...others.filter((text) => !isTakenBack(text)), ...own];
	return all.length > 0 ? [...new Set(all)] : undefined;
}

/** What is no list of texts is left out item by item: the rest still forbids. A text alone counts as one. */
function everyones(found: readonly Inspected[]): readonly string[] | undefined {
	const lists = found.flatMap(({ globalValue, workspaceValue, workspaceFolderValue }) =>
		[globalValue, workspaceValue, workspaceFolderValue].flatMap((value) => (Array.isArray(value) ? value : [value])),
	);
	const texts = lists.filter((item) => typeof item === 'string');
	return texts.length > 0 ? [...new Set(texts)] : undefined;
}
