// How the two kinds of settings files are written: ours (the settings' names, dotted or nested) and Claude Code's (the keys of
// its `permissions` object; ecosystem.md 2.6). Unknown keys are other programs' business and are passed over.
import type { Node } from 'jsonc-parser';
import { isSettingName } from './definitions.ts';
import { say } from './sentence.ts';
import type { SettingsReader } from './settingsReader.ts';

export type Dialect = 'loopwright' | 'claude';

export function readDialect(reader: SettingsReader, root: Node, dialect: Dialect): void {
	if (dialect === 'loopwright') readOurs(reader, root, '');
	else for (const [name, node] of properties(root)) if (name === 'permissions') readPermissions(reader, node);
}

function readOurs(reader: SettingsReader, object: Node, prefix: string): void {
	for (const [key, node] of properties(object)) {
		const name = prefix + key;
		if (isSettingName(name)) reader.take(name, node);
		else if (node.type === 'object') readOurs(reader, node, `${name}.`);
		else if (name === 'permissions') notAnObject(reader, node);
	}
}

function readPermissions(reader: SettingsReader, permissions: Node): void {
	if (permissions.type !== 'object') return notAnObject(reader, permissions);
	for (const [key, node] of properties(permissions)) {
		switch (key) {
			case 'allow':
				reader.take('permissions.allow', node);
				break;
			case 'ask':
				reader.take('permissions.ask', node);
				break;
			case 'deny':
				reader.take('permissions.deny', node);
				break;
			case 'additionalDirectories':
				reader.take('additionalDirectories', node);
				break;
			case 'defaultMode':
				// There is no mode that lets a model decide: `auto` asks the person.
				reader.put('permissionMode', node.value === 'auto' || node.value === 'manual' ? 'default' : node.value, node);
				break;
			case 'disableBypassPermissionsMode':
				if (node.value === 'disable') reader.forbidsBypass = true;
				else reader.note(say('{0} must be one of {1}', key, 'disable'), node.offset);
				break;
			default:
		}
	}
}

function notAnObject(reader: SettingsReader, node: Node): void {
	reader.note(say('permissions must be an object'), node.offset, node.type === 'null' ? 'value' : 'unknown');
}

/** Also of an object that is cut off or written twice; a property without a value is left out. */
function properties(object: Node): readonly (readonly [string, Node])[] {
	return (object.children ?? []).flatMap(({ children }) => {
		const [key, value] = children ?? [];
		return typeof key?.value === 'string' && value ? [[key.value, value] as const] : [];
	});
}
