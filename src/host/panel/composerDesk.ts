// The composer's side in the host, put together: what it offers, what it keeps, and what its prompts bring to the agent.
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
import type { MentionWords } from '../mentions/mentionSearch.ts';
import { promptReader } from '../mentions/promptParts.ts';
import { SharedOnce } from '../mentions/sharedOnce.ts';
import type { SessionController } from '../session/sessionController.ts';
import { UserTerminals } from '../terminal/userTerminals.ts';
import type { ComposerDeps } from './composerRequests.ts';

export interface ComposerDeskDeps {
	/** Of this window, for the history of prompts and for pictures of drafts. */
	readonly storage: vscode.Uri;
	readonly memory: vscode.Memento;
	readonly workspace: Workspace;
	readonly controller: () => SessionController;
	readonly settings: () => { readonly sendWith: ViewState['sendWith']; readonly shareSelection: boolean };
	readonly ripgrep: () => Promise<string | undefined>;
	readonly failed: (what: string, error: unknown) => void;
}

/** Paths that `@` searches at most, of all folders, and milliseconds for listing one. */
const mostFiles = 100_000;
const listingMs = 20_000;

export class ComposerDesk implements vscode.Disposable {
	readonly readPrompt: PromptReader;
	readonly requests: ComposerDeps;
	/** The person's own. */
	readonly terminals = new UserTerminals();
	readonly #deps: ComposerDeskDeps;
	readonly #selection: SelectionWatch;
	readonly #subscription: vscode.Disposable;

	constructor(deps: ComposerDeskDeps) {
		this.#deps = deps;
		const { storage, workspace } = deps;
		const { terminals } = this;
		const root = () => workspace.roots[0] ?? '/';
		const isSecret = async () => {
			const { permissions } = await deps.controller().open();
			return (file: string) => permissions.isSecret(file);
		};
		const sources = new EditorSources(root);
		const media = new MediaStore(path.join(storage.fsPath, 'media'));
		const history = new PromptHistory(storage.fsPath, (error) => deps.failed('keeping the prompts', error));
		const index = new FileIndex(() => this.#files(), Date.now);
		const sharedOnce = new SharedOnce();
		const controller = controllerOf(deps);
		this.#selection = new SelectionWatch({
			memory: deps.memory,
			sharedAtFirst: () => deps.settings().shareSelection,
			isSecret,
			changed: () => deps.controller().refresh(),
			failed: deps.failed,
		});
		this.#subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => index.forget());
		const search = { index, sources, root, isSecret, words: words() };
		this.requests = { controller, media, history, selection: this.#selection, search, sharedOnce };
		this.readPrompt = promptReader({
			workspace,
			root,
			media: (attachment) => media.block(attachment),
			picture: pictureOf,
			isWithheld: async (file) => {
				const secret = await isSecret();
				return (secret(file) || secret(await workspace.realPath(file))) && !sharedOnce.use(file);
			},
			texts: editorTexts({ terminals, sources, root, isSecret }),
		});
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

	/** Of all folders, as they are written into a prompt. Never rejects. */
	async #files(): Promise<readonly string[]> {
		const { workspace, ripgrep } = this.#deps;
		const { roots } = workspace;
		const rgPath = (await ripgrep()) ?? 'rg';
		const root = roots[0] ?? '/';
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

/** It is there as soon as someone does something. */
function controllerOf({ controller }: ComposerDeskDeps): ComposerDeps['controller'] {
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
