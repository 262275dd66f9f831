// The commands of proposals: from a thread's title, from the editor's title, from the keyboard. Contract: what is called on
// nothing answers nothing.
import * as vscode from 'vscode';
import type { HunkOutcome } from '../../shared/permission.ts';
import { focusFile, focusThread } from '../threadFocus.ts';
import { proposalScheme } from './proposalDocuments.ts';
import type { Proposals, Undecided } from './proposals.ts';

type Command = (...args: unknown[]) => Promise<void> | void;

const accepted: HunkOutcome = { kind: 'accepted' };
const denied: HunkOutcome = { kind: 'denied' };

/** By their ids without the prefix; `deps` is asked for when one runs. */
export function proposalCommands(proposals: () => Proposals): Readonly<Record<string, Command>> {
	const hunk = (outcome: HunkOutcome) => (argument: unknown) => {
		const place = proposals().ofThread(argument) ?? undecidedHere(proposals());
		if (!place) return tell(vscode.l10n.t('There is no proposed change here to decide on.'));
		proposals().decide(place.requestId, [place.hunk], outcome, true);
	};
	const file = (outcome: HunkOutcome) => (argument: unknown) => {
		const place = proposals().ofThread(argument);
		const uri = argument instanceof vscode.Uri ? argument : uriHere();
		const requests = place ? [place.requestId] : proposals().at(uri);
		if (requests.length === 0) return tell(vscode.l10n.t('There is no proposed change here to decide on.'));
		proposals().decideRest(requests, outcome);
	};
	return {
		'proposal.acceptHunk': hunk(accepted),
		'proposal.denyHunk': hunk(denied),
		'proposal.acceptFile': file(accepted),
		'proposal.denyFile': file(denied),
		'proposal.denyWithReason': async (argument) => {
			const { thread, text } = argument as Partial<vscode.CommentReply>;
			const place = proposals().ofThread(thread);
			if (!place) return;
			const reason = text?.trim() ?? '';
			const outcome = reason === '' ? denied : { ...denied, reason };
			proposals().decide(place.requestId, [place.hunk], outcome, true);
			await focusFile();
		},
		'proposal.reason': () => goToReason(proposals()),
		'proposal.next': () => go(proposals(), 1),
		'proposal.previous': () => go(proposals(), -1),
		'proposal.openDiff': async (argument) => {
			const uri = argument instanceof vscode.Uri ? argument : uriHere();
			const here = proposals().ofThread(argument)?.requestId ?? proposals().at(uri)[0];
			const requestId = here ?? proposals().oldest;
			if (requestId === undefined) return tell(vscode.l10n.t('There is no proposed change here to decide on.'));
			await proposals().openDiff(requestId, true);
		},
	};
}

/** Of the editor that the person is in; in a notebook also while no cell is edited. */
function uriHere(): vscode.Uri | undefined {
	return vscode.window.activeTextEditor?.document.uri ?? vscode.window.activeNotebookEditor?.notebook.uri;
}

/** The undecided hunk at the cursor, else the next one below, else the last one of the file. */
function undecidedHere(proposals: Proposals): Undecided | undefined {
	const editor = vscode.window.activeTextEditor;
	if (!editor) return undefined;
	const { uri } = editor.document;
	const requests = proposals.at(uri);
	const places = proposals
		.undecided(uri)
		.filter(({ requestId }) => requests.includes(requestId))
		.toSorted(byLine);
	const { line } = editor.selection.active;
	return places.find(({ range }) => range.end.line >= line) ?? places.at(-1);
}

/** To the thread of the hunk at the cursor; a cell has none, and its reason is given on the card. */
async function goToReason(proposals: Proposals): Promise<void> {
	const place = undecidedHere(proposals);
	if (!place) return tell(vscode.l10n.t('There is no proposed change here to decide on.'));
	await proposals.reveal(place, true);
	if (proposals.hasThread(place)) return focusThread();
	await vscode.commands.executeCommand('loopwright.focusRequest');
}

async function go(proposals: Proposals, step: 1 | -1): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const uri = editor?.document.uri;
	const inside = uri?.scheme === proposalScheme ? uri : undefined;
	const places = proposals.undecided(inside).toSorted((one, other) => compare(one, other) || byLine(one, other));
	const line = editor?.selection.active.line ?? 0;
	const here = String(uri ?? '');
	const beyond = (place: Undecided) => {
		const at = String(place.uri);
		const order = at === here ? place.range.start.line - line : at < here ? -1 : 1;
		return order * step > 0;
	};
	const ordered = step === 1 ? places : places.toReversed();
	const place = ordered.find(beyond) ?? ordered[0];
	if (!place) return tell(vscode.l10n.t('No proposed change waits for you.'));
	await proposals.reveal(place, true);
}

function compare(one: Undecided, other: Undecided): number {
	const [first, second] = [String(one.uri), String(other.uri)];
	return first < second ? -1 : first > second ? 1 : 0;
}

function byLine(one: Undecided, other: Undecided): number {
	return one.range.start.line - other.range.start.line;
}

function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
