// What a restore offers and would change, as lines of quick picks.
import path from 'node:path';
import * as vscode from 'vscode';
import type { PlannedFile, RestorePlan } from '../../core/checkpoints/planRestore.ts';
import type { FileImages, PutFailure, RestoreScope, UnkeptReason } from '../../core/ports/checkpoints.ts';
import { hunksBetween } from '../../core/tools/hunks.ts';
import { displayPath, isInside } from '../../core/util/paths.ts';
import { decodeText } from '../../node/text/textBytes.ts';

/** `compare`: nothing is restored. */
export type RestoreAction = RestoreScope | 'compare' | 'fork' | 'redo';

export interface ActionItem extends vscode.QuickPickItem {
	readonly action?: RestoreAction;
}

export interface FileItem extends vscode.QuickPickItem {
	readonly file?: PlannedFile;
}

/** Lines added and removed by restoring; absent where they are no text. */
export interface LineCounts {
	readonly added: number;
	readonly removed: number;
}

export async function lineCounts(
	{ current, target }: PlannedFile,
	images: FileImages,
): Promise<LineCounts | undefined> {
	const [from, to] = await Promise.all([textOf(current, images), textOf(target, images)]);
	if (from === undefined || to === undefined) return undefined;
	const { added, removed } = hunksBetween(from, to);
	return { added, removed };
}

/** The text of an image; empty for a file that is not there, undefined for what is no text. */
export async function textOf(image: PlannedFile['current'], images: FileImages): Promise<string | undefined> {
	if (image.kind === 'missing') return '';
	const bytes = await images.bytes(image);
	const decoded = bytes && decodeText(bytes);
	return decoded?.kind === 'text' ? decoded.text : undefined;
}

export function actionItems(
	plan: RestorePlan,
	counts: readonly (LineCounts | undefined)[],
	{ known, canRedo }: { readonly known: boolean; readonly canRedo: boolean },
): readonly ActionItem[] {
	const { files, lost } = plan;
	const some = files.length > 0;
	const words = some ? changeWords(files.length, sum(counts)) : lostWords(lost.length);
	const detail = some && lost.length > 0 ? { detail: lostWords(lost.length) } : {};
	const restoreAll: ActionItem = {
		label: `$(files) ${vscode.l10n.t('Restore files')}`,
		description: words,
		action: 'files',
		...detail,
	};
	return [
		...(some || lost.length > 0
			? [restoreAll]
			: // A line without an entry after it would not be shown.
				[separator(known ? vscode.l10n.t('no file has changed since') : vscode.l10n.t('files were not kept then'))]),
		{
			label: `$(comment) ${vscode.l10n.t('Restore conversation')}`,
			description: vscode.l10n.t('goes on from before this message'),
			action: 'conversation',
		},
		...(some
			? [
					{
						label: `$(history) ${vscode.l10n.t('Restore files and conversation')}`,
						description: words,
						action: 'both' as const,
					},
					{
						label: `$(diff) ${vscode.l10n.t('Show what restoring would change')}`,
						description: vscode.l10n.t('now ↔ restored, file by file'),
						action: 'compare' as const,
					},
				]
			: []),
		{
			label: `$(repo-forked) ${vscode.l10n.t('Fork from here')}`,
			description: vscode.l10n.t('a new conversation; this one stays as it is'),
			action: 'fork',
		},
		...(canRedo
			? [
					{
						label: `$(redo) ${vscode.l10n.t('Take the last restore back')}`,
						description: vscode.l10n.t('as it was before it'),
						action: 'redo' as const,
					},
				]
			: []),
	];
}

/** The files of a plan; what somebody else has changed comes last. */
export function fileItems(
	plan: RestorePlan,
	counts: readonly (LineCounts | undefined)[],
	roots: readonly string[],
): readonly FileItem[] {
	const all = plan.files.map((file, index): FileItem => {
		const count = counts[index];
		const shown = shownPath(file.path, roots);
		return {
			label: path.basename(file.path),
			description: [folderWords(shown), effectWords(file), count && signs(count)]
				.filter((word) => word !== undefined && word !== '')
				.join(' · '),
			...(file.conflict === undefined ? {} : { detail: conflictWords(file.conflict) }),
			buttons: [differenceButton()],
			file,
		};
	});
	const conflicts = all.filter(({ file }) => file?.conflict !== undefined);
	return [
		...all.filter(({ file }) => file?.conflict === undefined),
		...(conflicts.length > 0 ? [separator(vscode.l10n.t('kept unless chosen')), ...conflicts] : []),
		...(plan.lost.length > 0 ? [separator(vscode.l10n.t('cannot be restored'))] : []),
		...plan.lost.map(({ path: file, reason }) => ({
			label: `$(circle-slash) ${path.basename(file)}`,
			description: [folderWords(shownPath(file, roots)), reasonWords(reason)].filter((word) => word !== '').join(' · '),
		})),
	];
}

export function differenceButton(): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon('diff'), tooltip: vscode.l10n.t('Show the difference') };
}

function folderWords(shown: string): string {
	const folder = path.dirname(shown);
	return folder === '.' ? '' : folder;
}

/** By the folder of the workspace that it is in. */
export function shownPath(file: string, roots: readonly string[]): string {
	const root = roots.find((folder) => isInside(folder, file));
	if (root === undefined) return file;
	const shown = displayPath(root, file);
	return roots.length > 1 ? `${path.basename(root)}/${shown}` : shown;
}

function sum(counts: readonly (LineCounts | undefined)[]): LineCounts {
	return {
		added: counts.reduce((all, count) => all + (count?.added ?? 0), 0),
		removed: counts.reduce((all, count) => all + (count?.removed ?? 0), 0),
	};
}

function changeWords(files: number, count: LineCounts): string {
	return `${files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files)}  ${signs(count)}`;
}

function signs({ added, removed }: LineCounts): string {
	return `+${added} −${removed}`;
}

function lostWords(lost: number): string {
	return lost === 1 ? vscode.l10n.t('1 file cannot be restored') : vscode.l10n.t('{0} files cannot be restored', lost);
}

function effectWords({ effect }: PlannedFile): string | undefined {
	if (effect === 'delete') return vscode.l10n.t('is deleted');
	return effect === 'create' ? vscode.l10n.t('comes back') : undefined;
}

function conflictWords(conflict: NonNullable<PlannedFile['conflict']>): string {
	return conflict === 'changed_since'
		? vscode.l10n.t('Changed since by you or another program')
		: vscode.l10n.t('Changed by you or another program between edits of the agent');
}

/** Why a file was not restored. */
export function failureWords({ code, detail = '' }: PutFailure): string {
	switch (code) {
		case 'changed':
			return vscode.l10n.t('it has just changed');
		case 'not_kept':
			return vscode.l10n.t('it is not kept any more');
		case 'git':
			return vscode.l10n.t("git's own files are not touched");
		case 'refused':
			return detail;
	}
}

function reasonWords(reason: UnkeptReason): string {
	switch (reason) {
		case 'too_large':
			return vscode.l10n.t('too large to be kept');
		case 'git':
			return vscode.l10n.t("git's own files are not touched");
		case 'link':
			return vscode.l10n.t('a link');
		case 'special':
			return vscode.l10n.t('no regular file');
		case 'unreadable':
			return vscode.l10n.t('it cannot be read');
		case 'not_stored':
			return vscode.l10n.t('it could not be kept');
		case 'unsaved_notebook':
			return vscode.l10n.t('a notebook with unsaved cells');
		case 'unexpected':
			return vscode.l10n.t('a command changed it unexpectedly');
	}
}

function separator(label: string): vscode.QuickPickItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}
