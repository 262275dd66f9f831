// What the person does in the composer: sends, mentions, attaches. Contract: a file with secrets goes with a prompt only after a
// word to it, asked when the prompt is sent; only the newest question of `@` is answered.
import path from 'node:path';
import * as vscode from 'vscode';
import type { SelectionAttachment } from '../../shared/composer.ts';
import { mentionsIn } from '../../shared/mentions.ts';
import { slashAction } from '../../shared/slashCommands.ts';
import type { MediaStore } from '../attachments/mediaStore.ts';
import type { PromptHistory } from '../attachments/promptHistory.ts';
import type { SelectionWatch } from '../attachments/selectionWatch.ts';
import { askToShare } from '../commands/sharing.ts';
import { droppedText } from '../mentions/droppedUris.ts';
import { searchMentions, type SearchParts } from '../mentions/mentionSearch.ts';
import type { SharedOnce } from '../mentions/sharedOnce.ts';
import type { Drafts } from '../session/drafts.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { SurfaceHandle } from './channel.ts';
import type { PanelRequest } from './panelPages.ts';

export interface ComposerDeps {
	readonly controller: Pick<SessionController, 'submit' | 'unqueue' | 'moveQueued'>;
	readonly media: Pick<MediaStore, 'add' | 'file'>;
	readonly history: Pick<PromptHistory, 'list' | 'add'>;
	readonly selection: Pick<SelectionWatch, 'attachment' | 'share'>;
	readonly search: SearchParts;
	readonly sharedOnce: Pick<SharedOnce, 'allow'>;
	readonly drafts: Pick<Drafts, 'of' | 'keep'>;
}

const types = [
	'prompt_submitted',
	'prompt_unqueued',
	'prompt_edited',
	'prompt_moved',
	'media_added',
	'media_opened',
	'selection_shared',
	'mentions_requested',
	'history_requested',
	'uris_dropped',
	'draft_kept',
	'draft_requested',
] as const;
export type ComposerRequest = Extract<PanelRequest, { type: (typeof types)[number] }>;
export type ComposerSurface = Pick<SurfaceHandle, 'focusComposer' | 'post' | 'newestQuery'>;

export function isComposerRequest(message: PanelRequest): message is ComposerRequest {
	return types.some((type) => type === message.type);
}

export async function handleComposerRequest(
	message: ComposerRequest,
	deps: ComposerDeps,
	surface: ComposerSurface,
): Promise<void> {
	const { controller, media, history, selection, search } = deps;
	switch (message.type) {
		case 'prompt_submitted':
			return submit(message, deps);
		case 'prompt_unqueued':
			controller.unqueue(message.id);
			return;
		case 'prompt_edited':
			return takeBack(message.id, deps, surface);
		case 'prompt_moved':
			return controller.moveQueued(message.id, message.to);
		case 'media_added':
			if (!(await media.add(message.media, message.data)))
				surface.post({ type: 'media_refused', id: message.media.id });
			return;
		case 'media_opened':
			await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(media.file(message.media)), {
				preview: true,
			});
			return;
		case 'selection_shared':
			return selection.share(message.shared);
		case 'mentions_requested':
			return mentions(message.query, deps, surface);
		case 'history_requested':
			return surface.post({ type: 'history', prompts: await history.list() });
		case 'draft_kept':
			return deps.drafts.keep(message.conversation, message.draft);
		case 'draft_requested': {
			const { conversation } = message;
			const draft = (await deps.drafts.of(conversation)) ?? { text: '', pastes: {}, media: [] };
			return surface.post({ type: 'draft', conversation, draft });
		}
		case 'uris_dropped': {
			const text = droppedText(message.uris, search.root(), process.platform === 'win32');
			if (text !== '') surface.post({ type: 'text_inserted', text });
		}
	}
}

async function submit(
	{ text, attachments = [], delivery }: Extract<ComposerRequest, { type: 'prompt_submitted' }>,
	deps: ComposerDeps,
): Promise<void> {
	const action = slashAction(text);
	if (action !== undefined) {
		await vscode.commands.executeCommand(`loopwright.${action}`);
		return;
	}
	const selected: readonly SelectionAttachment[] = deps.selection.attachment ? [deps.selection.attachment] : [];
	void deps.history.add(text);
	await askForSecrets(text, deps);
	await deps.controller.submit({ text, attachments: [...attachments, ...selected] }, delivery);
}

/** The person is here now; when the agent reads a prompt that waited, they may not be. */
async function askForSecrets(text: string, { search, sharedOnce }: ComposerDeps): Promise<void> {
	const paths = mentionsIn(text).flatMap(({ target }) => (target.kind === 'path' ? [target.path] : []));
	if (paths.length === 0) return;
	const isSecret = await search.isSecret();
	for (const file of new Set(paths.map((name) => path.resolve(search.root(), name)))) {
		if (isSecret(file) && (await exists(file)) && (await askToShare(path.basename(file)))) sharedOnce.allow(file);
	}
}

async function exists(file: string): Promise<boolean> {
	return await vscode.workspace.fs.stat(vscode.Uri.file(file)).then(
		() => true,
		() => false,
	);
}

function takeBack(id: string, { controller }: ComposerDeps, surface: ComposerSurface): void {
	const prompt = controller.unqueue(id);
	if (!prompt) return;
	// The selection of then is in an editor still, or gone.
	const media = (prompt.attachments ?? []).filter((attachment) => attachment.kind !== 'selection');
	surface.focusComposer(prompt.text, media);
}

async function mentions(query: string, { search }: ComposerDeps, surface: ComposerSurface): Promise<void> {
	surface.newestQuery = query;
	const isNewest = () => surface.newestQuery === query;
	for await (const found of searchMentions(query, search, isNewest)) {
		if (isNewest()) surface.post({ type: 'mentions_found', query, ...found });
	}
}
