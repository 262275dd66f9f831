// What a prompt brings besides its words, read at the moment when the agent reads the prompt: pictures and PDFs, the selection,
// and what its mentions stand for. No `vscode`. Contract: bounded in size; a file that the secrets policy keeps back is named,
// never shown, unless the person said so for this once; never rejects.
import path from 'node:path';
import type { PromptParts, PromptReader } from '../../core/loop/promptParts.ts';
import type { DocumentBlock, ImageBlock } from '../../core/messages/types.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { fenced } from '../../core/util/fenced.ts';
import { displayPath, resolvePath } from '../../core/util/paths.ts';
import { headAndTail } from '../../core/util/text.ts';
import type { MediaAttachment, PromptAttachment } from '../../shared/composer.ts';
import { mentionsIn, type LineRange, type MentionTarget } from '../../shared/mentions.ts';

export interface PromptPartsDeps {
	readonly workspace: Pick<Workspace, 'read' | 'list' | 'realPath'>;
	/** The session's root, absolute. */
	readonly root: () => string;
	/** The block of a kept picture or PDF; undefined when it is not there any more. */
	readonly media: (media: MediaAttachment) => Promise<ImageBlock | DocumentBlock | undefined>;
	/** A picture in a file, made to fit. */
	readonly picture: (file: string) => Promise<ImageBlock | undefined>;
	/** Whether a file is kept from the model; a word of the person for this once is used up by it. */
	readonly isWithheld: (file: string) => Promise<boolean>;
	readonly texts: MentionTexts;
}

/** What only the editor knows, as text for the model; undefined: there is nothing. Never rejects. */
export interface MentionTexts {
	readonly problems: (file: string | undefined) => Promise<string | undefined>;
	readonly terminal: (name: string | undefined) => Promise<string | undefined>;
	readonly changes: () => Promise<string | undefined>;
	readonly session: (id: string) => Promise<string | undefined>;
}

/** Characters of one mention, and of all of a prompt; a prompt has so many at most. */
export const mentionBounds = { each: 60_000, all: 200_000, count: 40, folderNames: 200, lineChars: 2_000 } as const;

interface Found {
	readonly note?: string;
	readonly media?: ImageBlock | DocumentBlock;
}

export function promptReader(deps: PromptPartsDeps): PromptReader {
	return async ({ text, attachments = [] }): Promise<PromptParts> => {
		const found: Found[] = [];
		let characters = 0;
		const add = async (look: () => Promise<Found | undefined>, what: string) => {
			if (characters >= mentionBounds.all) {
				found.push({ note: `${what} is left out: what this message mentions is too long. Read it with your tools.` });
				return;
			}
			const next = await look().catch((): Found => ({ note: `${what} could not be read.` }));
			characters += next?.note?.length ?? 0;
			if (next) found.push(next);
		};
		for (const attachment of attachments) await add(() => attached(attachment, deps), nameOf(attachment));
		const said = new Set<string>();
		for (const { target, start, end } of mentionsIn(text).slice(0, mentionBounds.count)) {
			const key = JSON.stringify(target);
			if (said.has(key)) continue;
			said.add(key);
			await add(() => mentioned(target, deps), text.slice(start, end));
		}
		return {
			media: found.flatMap(({ media }) => media ?? []),
			notes: found.flatMap(({ note }) => note ?? []),
		};
	};
}

function nameOf(attachment: PromptAttachment): string {
	return attachment.kind === 'selection' ? 'The selection' : attachment.name;
}

async function attached(attachment: PromptAttachment, deps: PromptPartsDeps): Promise<Found | undefined> {
	if (attachment.kind !== 'selection') {
		const media = await deps.media(attachment);
		return media ? { media } : { note: `${attachment.name} was attached, but is not there any more.` };
	}
	const { path: file, firstLine: first, lastLine: last } = attachment;
	return await ofFile(file, { range: { first, last }, why: 'selected in the editor' }, deps);
}

async function mentioned(target: MentionTarget, deps: PromptPartsDeps): Promise<Found | undefined> {
	const { texts } = deps;
	switch (target.kind) {
		case 'path':
			return await ofPath(target, deps);
		case 'problems': {
			const file = target.path === undefined ? undefined : path.resolve(deps.root(), target.path);
			return noteOf(await texts.problems(file), 'The editor reports no problems there.');
		}
		case 'terminal':
			return noteOf(await texts.terminal(target.name), 'The terminal tells of no command.');
		case 'changes':
			return noteOf(await texts.changes(), 'There are no uncommitted changes.');
		case 'session':
			return noteOf(await texts.session(target.id), `There is no earlier conversation ${target.id}.`);
	}
}

function noteOf(text: string | undefined, otherwise: string): Found {
	return { note: text === undefined ? otherwise : headAndTail(text, mentionBounds.each).text };
}

/** What is no file is no mention, unless it was written in quotes. */
async function ofPath(
	target: Extract<MentionTarget, { kind: 'path' }>,
	deps: PromptPartsDeps,
): Promise<Found | undefined> {
	const resolved = resolvePath(deps.root(), target.path);
	if (resolved.kind === 'refused') return undefined;
	return await ofFile(resolved.path, { ...target, why: 'mentioned by the person' }, deps);
}

interface Wanted {
	readonly range?: LineRange;
	readonly quoted?: boolean;
	readonly why: string;
}

async function ofFile(
	file: string,
	{ range, quoted = false, why }: Wanted,
	deps: PromptPartsDeps,
): Promise<Found | undefined> {
	const shown = displayPath(deps.root(), file);
	const content = await deps.workspace.read(file);
	if (content.kind === 'missing') return quoted ? { note: `There is no file ${shown}.` } : undefined;
	if (content.kind === 'folder') return { note: await folderNote(file, shown, deps) };
	if (await deps.isWithheld(file)) {
		return {
			note: `${shown} (${why}) may hold secrets and is kept from you (setting context.exclude). Work without it.`,
		};
	}
	if (content.kind !== 'text') {
		const media = await deps.picture(file);
		if (media) return { media, note: `${shown} (${why}) is the picture in the message before.` };
		return { note: `${shown} (${why}) is not text, or too large to be shown here.` };
	}
	return { note: fileNote({ shown, why, text: content.text, unsaved: content.unsaved, ...(range ? { range } : {}) }) };
}

interface FileText {
	readonly shown: string;
	readonly why: string;
	readonly text: string;
	readonly unsaved: boolean;
	readonly range?: LineRange;
}

function fileNote({ shown, why, text, unsaved, range }: FileText): string {
	const lines = text.split(/\r\n|\r|\n/);
	if (lines.at(-1) === '') lines.pop();
	if (range && range.first > lines.length) return `${shown} (${why}) has only ${lines.length} lines.`;
	const first = range?.first ?? 1;
	const last = Math.min(range?.last ?? lines.length, lines.length);
	const rows: string[] = [];
	let characters = 0;
	for (let at = first; at <= last; at++) {
		const line = lines[at - 1] ?? '';
		const row = `${at}\t${line.length > mentionBounds.lineChars ? `${line.slice(0, mentionBounds.lineChars)}…` : line}`;
		characters += row.length + 1;
		if (characters > mentionBounds.each) break;
		rows.push(row);
	}
	const end = first + rows.length - 1;
	const whole = first === 1 && end === lines.length;
	const part = rows.length === 0 ? ', empty' : whole ? '' : `, lines ${first} to ${end} of ${lines.length}`;
	const more = end < last ? `\n[Lines ${end + 1} to ${last} are left out; use Read for them.]` : '';
	const live = unsaved ? ', with text that is not saved' : '';
	const head = `${shown}${part} (${why}${live}). Number and tab before each line are not part of the file:`;
	return `${head}\n${fenced(rows.join('\n'), '')}${more}`;
}

async function folderNote(folder: string, shown: string, { workspace }: PromptPartsDeps): Promise<string> {
	const names = await workspace.list(folder);
	const some = names.slice(0, mentionBounds.folderNames).join('\n');
	const more =
		names.length > mentionBounds.folderNames ? `\n… and ${names.length - mentionBounds.folderNames} more` : '';
	const head = `The folder ${shown} (mentioned by the person) has ${names.length} entries`;
	return names.length === 0 ? `${head}.` : `${head}:\n${some}${more}`;
}
