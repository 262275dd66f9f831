// `loopwright.rewind`: back to before a message of the person. What will change is shown before anything does; what somebody else
// has changed is kept unless it is chosen; a restore can be taken back.
import * as vscode from 'vscode';
import type { ChangedFile, PlannedFile, RestorePlan } from '../../core/checkpoints/planRestore.ts';
import { changedByRestore, changedSince, planRestore, redoable } from '../../core/checkpoints/planRestore.ts';
import { restoreFiles } from '../../core/checkpoints/restoreFiles.ts';
import type { RestoreOutcome } from '../../core/checkpoints/restoreFiles.ts';
import type { CheckpointIndex, FileImage, FileImages, RestoreScope } from '../../core/ports/checkpoints.ts';
import {
	actionItems,
	failureWords,
	fileItems,
	lineCounts,
	shownPath,
	type LineCounts,
	type RestoreAction,
} from './restoreItems.ts';
import { pickAction, pickFiles, pickPrompt, type PromptChoice } from './restorePicks.ts';
import type { SessionRewinding } from './rewinding.ts';
import type { RestoredDocuments } from './restoredDocuments.ts';

export interface RestoreFlowDeps {
	readonly conversation: Pick<SessionRewinding, keyof SessionRewinding>;
	/** Puts a text into the composer. */
	readonly compose: (text: string) => Promise<void>;
	readonly images: FileImages;
	readonly documents: Pick<RestoredDocuments, 'showDifference' | 'showAll' | 'closeDifferences'>;
	readonly index: (sessionId: string) => CheckpointIndex;
	/** Resolves when the list has what commands did so far. */
	readonly settled: () => Promise<void>;
	/** Of the workspace. */
	readonly roots: () => readonly string[];
	/** Commands in the conversation's background end when it goes on from elsewhere; false: the person would rather stay. */
	readonly mayLeave: () => Promise<boolean>;
}

interface Preview {
	readonly plan: RestorePlan;
	readonly counts: readonly (LineCounts | undefined)[];
}
const nothing: Preview = { plan: { files: [], lost: [] }, counts: [] };

export class RestoreFlow {
	private readonly deps: RestoreFlowDeps;

	constructor(deps: RestoreFlowDeps) {
		this.deps = deps;
	}

	/** Without a message it asks for one. Resolves when all is done, or the person has left. */
	async run(promptId?: string): Promise<void> {
		const prompt = await this.prompt(promptId);
		if (!prompt) return;
		const action = await this.choose(prompt);
		if (action === undefined) return;
		if (action === 'redo') return this.redo();
		if (action === 'compare') return this.compare(prompt);
		await this.goBack(prompt, action);
	}

	/** Takes a message back to say it otherwise; files stay as they are. Without a message it asks for one. */
	async edit(promptId?: string): Promise<void> {
		const prompt = await this.prompt(promptId);
		if (prompt) await this.goBack(prompt, 'conversation');
	}

	/** Shows the conversation that has this version of a message. */
	async switchTo(promptId: string): Promise<void> {
		if (await this.deps.mayLeave()) await this.deps.conversation.switchTo(promptId);
	}

	/** Goes on in a copy of the whole conversation. */
	async copy(): Promise<void> {
		const { conversation } = this.deps;
		if (conversation.prompts.length > 0) await conversation.fork();
	}

	/** Takes the last restore back. */
	async redo(): Promise<void> {
		const { conversation } = this.deps;
		const index = this.index();
		const last = redoable(await index.read());
		if (!last) return void vscode.window.showInformationMessage(vscode.l10n.t('There is no restore to take back.'));
		if (last.scope !== 'files' && !(await this.deps.mayLeave())) return;
		await conversation.stop();
		const preview = await this.preview(changedByRestore(last));
		const files = preview.plan.files.some(({ conflict }) => conflict !== undefined)
			? await this.pickFiles(preview)
			: preview.plan.files;
		if (!files) return;
		const outcome = await restoreFiles({ files, to: last.to, scope: last.scope, redo: true }, { ...this.deps, index });
		const undone = last.scope === 'files' || (await conversation.undoRewind());
		this.report(outcome, { canRedo: false });
		if (!undone) {
			void vscode.window.showWarningMessage(vscode.l10n.t('The conversation has gone on since; it stays as it is.'));
		}
	}

	private async prompt(promptId: string | undefined): Promise<PromptChoice | undefined> {
		const prompts = await this.deps.conversation.promptsFrom(promptId);
		return promptId === undefined ? await pickPrompt(prompts) : prompts.find(({ id }) => id === promptId);
	}

	private async goBack(prompt: PromptChoice, action: Exclude<RestoreAction, 'redo' | 'compare'>): Promise<void> {
		const { conversation, compose, mayLeave } = this.deps;
		const goesOn = action === 'files' || action === 'fork';
		if (!goesOn && !(await mayLeave())) return;
		await conversation.stop();
		// The queue goes with the conversation; nothing that was typed does.
		const texts = [prompt.text, ...conversation.queued].join('\n\n');
		if (action === 'fork') {
			await conversation.fork(prompt.id);
			return compose(texts);
		}
		if (!(await this.restore(prompt, action))) return;
		if (action === 'files') return;
		await conversation.rewind(prompt.id);
		await compose(texts);
	}

	/** What to do with the message, with what each would change. */
	private async choose(prompt: PromptChoice): Promise<RestoreAction | undefined> {
		const load = async () => {
			await this.deps.settled();
			const records = await this.index().read();
			const changed = changedSince(records, prompt.id);
			const { plan, counts } = await this.preview(changed ?? []);
			return actionItems(plan, counts, { known: changed !== undefined, canRedo: redoable(records) !== undefined });
		};
		const title = vscode.l10n.t('Restore to before “{0}”', shortened(prompt.text));
		const item = await pickAction(title, load(), this.deps.conversation.working);
		return item?.action;
	}

	/** All files side by side, for keys as well: the buttons in the list of files are for the mouse. */
	private async compare(prompt: PromptChoice): Promise<void> {
		const changed = changedSince(await this.index().read(), prompt.id);
		const { plan } = await this.preview(changed ?? []);
		await this.deps.documents.showAll(plan.files);
	}

	/** False when the person has left. */
	private async restore(prompt: PromptChoice, scope: RestoreScope): Promise<boolean> {
		const index = this.index();
		// Anew: what ran meanwhile is stopped by now.
		await this.deps.settled();
		const records = scope === 'conversation' ? [] : await index.read();
		const preview = await this.preview(changedSince(records, prompt.id) ?? []);
		const { plan } = preview;
		const files = plan.files.length + plan.lost.length > 0 ? await this.pickFiles(preview) : [];
		if (!files) return false;
		const outcome = await restoreFiles({ files, to: prompt.id, scope, redo: false }, { ...this.deps, index });
		if (scope !== 'conversation') this.report(outcome, { canRedo: true });
		return true;
	}

	private async pickFiles({ plan, counts }: Preview): Promise<readonly PlannedFile[] | undefined> {
		const { documents, roots } = this.deps;
		const items = fileItems(plan, counts, roots());
		const files = await pickFiles(items, (file) => documents.showDifference(file));
		await documents.closeDifferences(files !== undefined);
		return files;
	}

	private async preview(changed: readonly ChangedFile[]): Promise<Preview> {
		if (changed.length === 0) return nothing;
		const { images } = this.deps;
		// Kept, so that the difference can be shown, and taken back.
		const current = new Map<string, FileImage>();
		for (const { path } of changed) current.set(path, await images.keep(path));
		const plan = planRestore(changed, current);
		return { plan, counts: await Promise.all(plan.files.map((file) => lineCounts(file, images))) };
	}

	private report({ restored, failed }: RestoreOutcome, { canRedo }: { readonly canRedo: boolean }): void {
		const [first] = failed;
		if (first) {
			const names = failed.map(({ path }) => shownPath(path, this.deps.roots())).join(', ');
			void vscode.window.showWarningMessage(vscode.l10n.t('Not restored: {0} ({1})', names, failureWords(first)));
		}
		if (restored.length === 0) return;
		const words =
			restored.length === 1
				? vscode.l10n.t('1 file was restored.')
				: vscode.l10n.t('{0} files were restored.', restored.length);
		const back = vscode.l10n.t('Take back');
		void vscode.window.showInformationMessage(words, ...(canRedo ? [back] : [])).then((choice) => {
			if (choice === back) void vscode.commands.executeCommand('loopwright.redoRestore');
		});
	}

	private index(): CheckpointIndex {
		return this.deps.index(this.deps.conversation.sessionId);
	}
}

function shortened(text: string): string {
	const line = text.trim().split('\n', 1)[0] ?? '';
	return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
