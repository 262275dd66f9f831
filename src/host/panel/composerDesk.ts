// The composer's side in the host, put together: what it offers, what it keeps, and what its prompts bring to the agent. What
// a conversation has of its own is made for each; the rest is the window's.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PromptReader } from '../../core/loop/promptParts.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { displayPath } from '../../core/util/paths.ts';
import { listFiles } from '../../node/search/listFiles.ts';
import type { ViewState } from '../../shared/view.ts';
import { MediaStore, pictureOf } from '../attachments/mediaStore.ts';
import { PromptHistory } from '../attachments/promptHistory.ts';
import { SelectionWatch } from '../attachments/selectionWatch.ts';
import { EditorSources } from '../mentions/editorSources.ts';
import { editorTexts } from '../mentions/editorTexts.ts';
import { FileIndex } from '../mentions/fileIndex.ts';
import type { MentionWords, SearchParts } from '../mentions/mentionSearch.ts';
import { promptReader } from '../mentions/promptParts.ts';
import { SharedOnce } from '../mentions/sharedOnce.ts';
import { Drafts } from '../session/drafts.ts';
import type { SessionController } from '../session/sessionController.ts';
import { UserTerminals } from '../terminal/userTerminals.ts';
import type { ComposerDeps } from './composerRequests.ts';

export interface ComposerDeskDeps {
	/** Of this window, for the history of prompts and for pictures of drafts. */
	readonly storage: vscode.Uri;
	readonly memory: vscode.Memento;
	readonly workspace: Pick<Workspace, 'roots'>;
	/** Whether the secrets policy keeps a file from the model, in the conversation in front. */
	readonly isSecret: () => Promise<(file: string) => boolean>;
	/** The selection, or what becomes of it, is another. */
	readonly changed: () => void;
	readonly settings: () => { readonly sendWith: ViewState['sendWith']; readonly shareSelection: boolean };
	readonly ripgrep: () => Promise<string | undefined>;
	readonly failed: (what: string, error: unknown) => void;
}

/** Paths that `@` searches at most, of all folders, and milliseconds for listing one. */
const mostFiles = 100_000;
const listingMs = 20_000;

/** What belongs to one conversation. */
export interface ComposerOrder {
	readonly controller: () => SessionController;
	readonly workspace: Workspace;
	/** Absolute. */
	readonly root: () => string;
}
export interface ConversationComposer {
	readonly readPrompt: PromptReader;
	readonly requests: ComposerDeps;
}

/** What is known of the folders, as seen from one root. */
interface RootParts {
	readonly index: FileIndex;
	readonly sources: EditorSources;
}

export class ComposerDesk implements vscode.Disposable {
	/** The person's own. */
	readonly terminals = new UserTerminals();
	readonly #deps: ComposerDeskDeps;
	readonly #selection: SelectionWatch;
	readonly #media: MediaStore;
	readonly #history: PromptHistory;
	readonly #drafts: Drafts;
	readonly #words = words();
	readonly #subscription: vscode.Disposable;
	/** By root. */
	readonly #roots = new Map<string, RootParts>();

	constructor(deps: ComposerDeskDeps) {
		this.#deps = deps;
		const { storage, memory, isSecret, changed, failed } = deps;
		this.#media = new MediaStore(path.join(storage.fsPath, 'media'));
		this.#history = new PromptHistory(storage.fsPath, (error) => failed('keeping the prompts', error));
		this.#drafts = new Drafts(storage.fsPath, (error) => failed('keeping the drafts', error));
		const sharedAtFirst = () => deps.settings().shareSelection;
		this.#selection = new SelectionWatch({ memory, sharedAtFirst, isSecret, changed, failed });
		this.#subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
			for (const { index } of this.#roots.values()) index.forget();
		});
	}

	/** For one conversation; its controller is there as soon as someone does something. */
	ofConversation({ controller, workspace, root }: ComposerOrder): ConversationComposer {
		const { terminals } = this;
		const isSecret = async () => {
			const { permissions } = await controller().open();
			return (file: string) => permissions.isSecret(file);
		};
		const parts = () => this.#partsOf(root());
		const sharedOnce = new SharedOnce();
		const search: SearchParts = {
			get index() {
				return parts().index;
			},
			get sources() {
				return parts().sources;
			},
			root,
			isSecret,
			words: this.#words,
		};
		const media = this.#media;
		const own = { controller: controllerOf(controller), search, sharedOnce };
		return {
			requests: { ...own, media, history: this.#history, selection: this.#selection, drafts: this.#drafts },
			readPrompt: promptReader({
				workspace,
				root,
				media: (attachment) => media.block(attachment),
				picture: (file) => pictureOf(file, workspace),
				isWithheld: async (file) => {
					const secret = await isSecret();
					return (secret(file) || secret(await workspace.realPath(file))) && !sharedOnce.use(file);
				},
				texts: editorTexts({
					terminals,
					sources: { transcript: (id) => parts().sources.transcript(id) },
					root,
					isSecret,
				}),
			}),
		};
	}

	/** Deletes what is kept of prompts and drafts: their texts and their pictures. */
	async forget(): Promise<void> {
		await Promise.all([this.#history.clear(), this.#drafts.clear(), this.#media.clear()]);
	}

	/** The panel is there: what it shows is kept current. */
	start(): void {
		this.#selection.start();
	}

	get state(): Pick<ViewState, 'sendWith' | 'selection'> {
		return { sendWith: this.#deps.settings().sendWith, selection: this.#selection.view };
	}

	dispose(): void {
		this.#selection.dispose();
		this.#subscription.dispose();
		this.terminals.dispose();
	}

	#partsOf(root: string): RootParts {
		const known = this.#roots.get(root);
		if (known) return known;
		const index = new FileIndex(() => this.#files(root), Date.now);
		const made = { index, sources: new EditorSources(() => root) };
		this.#roots.set(root, made);
		return made;
	}

	/** Of all folders, as they are written into a prompt of a session with this root. Never rejects. */
	async #files(root: string): Promise<readonly string[]> {
		const { workspace, ripgrep } = this.#deps;
		const { roots } = workspace;
		const rgPath = (await ripgrep()) ?? 'rg';
		const found: string[] = [];
		for (const folder of roots) {
			const limit = mostFiles - found.length;
			const signal = AbortSignal.timeout(listingMs);
			if (limit <= 0) break;
			const paths = await listFiles({ rgPath, folder, limit, timeoutMs: listingMs, signal });
			for (const name of paths) found.push(displayPath(root, path.join(folder, name)));
		}
		return found;
	}
}

function controllerOf(controller: ComposerOrder['controller']): ComposerDeps['controller'] {
	return {
		submit: (prompt, delivery) => controller().submit(prompt, delivery),
		unqueue: (id) => controller().unqueue(id),
		moveQueued: (id, to) => controller().moveQueued(id, to),
	};
}

function words(): MentionWords {
	return {
		problems: vscode.l10n.t('Problems'),
		terminal: vscode.l10n.t('Terminal'),
		changes: vscode.l10n.t('Uncommitted changes'),
		sessions: vscode.l10n.t('Earlier conversations'),
		lastCommand: vscode.l10n.t('Last command'),
		counts: (errors, warnings) =>
			[
				...(errors === 0 ? [] : [errors === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', errors)]),
				...(warnings === 0
					? []
					: [warnings === 1 ? vscode.l10n.t('1 warning') : vscode.l10n.t('{0} warnings', warnings)]),
			].join(', '),
	};
}
