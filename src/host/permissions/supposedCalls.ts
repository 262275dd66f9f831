// What a line that the person types could stand for: a command, and where it looks like one, a path to read or to change. Pure.
import nodePath from 'node:path';
import type { SupposedCall } from '../../core/session/permissionInquiry.ts';

export interface Whereabouts {
	/** Absolute. */
	readonly cwd: string;
	readonly home: string;
}

export function supposedCalls(line: string, { cwd, home }: Whereabouts): readonly SupposedCall[] {
	const text = line.trim();
	if (text === '') return [];
	const command: SupposedCall = {
		tool: 'Bash',
		need: { access: { kind: 'command', command: text }, detail: { kind: 'command', command: text, cwd } },
	};
	if (!looksLikePath(text)) return [command];
	const path = nodePath.resolve(
		cwd,
		text.replace(/^~(?=$|[/\\])/, () => home),
	);
	const detail = { kind: 'path', path } as const;
	return [
		{ tool: 'Read', need: { access: { kind: 'read', path }, detail } },
		{ tool: 'Edit', need: { access: { kind: 'write', path }, detail } },
		command,
	];
}

/** One word with a folder, an extension or a leading dot. */
function looksLikePath(text: string): boolean {
	return !/\s/.test(text) && /[/\\]|^[.~]|\.\w+$/.test(text) && !/[;&|<>$`()]/.test(text);
}
