// All that a subagent did as a read-only document, from its transcript on the disk. The document's address says all that is needed to
// read it, so that its tab is there again after a reload. While it is open it grows with what the subagent does. Contract: nothing outside of the sessions' own folder is read.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { agentFile } from '../../node/sessions/agentTranscripts.ts';
import { followFile } from '../../node/sessions/followFile.ts';
import { isSessionId, sessionFolder } from '../../node/sessions/paths.ts';
import { parseTranscript } from '../../node/sessions/transcriptFile.ts';
import type { Row, ViewState } from '../../shared/view.ts';
import type { SessionController } from '../session/sessionController.ts';
import { agentMarkdown } from './agentTranscript.ts';
import { exportWords } from './exportWords.ts';

const scheme = 'loopwright-agent';
/** Characters of a document's name. */
const longestName = 60;
/** A document is written anew this often at most, milliseconds. */
const growMs = 500;

/** `cwd`: of the session, absolute. */
const place = z.object({
	cwd: z.string().min(1),
	sessionId: z.string(),
	agentId: z.string().min(1),
	title: z.string(),
});
type AgentPlace = z.infer<typeof place>;

export class AgentDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	private readonly changed = new vscode.EventEmitter<vscode.Uri>();
	private readonly registrations: vscode.Disposable;
	/** How to end it, by the address of a document that is open. */
	private readonly followed = new Map<string, () => void>();
	private readonly state: () => ViewState;

	/** `state`: of some conversation of the window, for the names of models. */
	constructor(state: () => ViewState) {
		this.state = state;
		this.registrations = vscode.Disposable.from(
			vscode.workspace.registerTextDocumentContentProvider(scheme, this),
			vscode.workspace.onDidCloseTextDocument(({ uri }) => this.leave(uri.toString())),
		);
	}

	get onDidChange(): vscode.Event<vscode.Uri> {
		return this.changed.event;
	}

	/** `toolUseId`: of the call that the subagent works for; `cwd`: of the session. */
	async show(controller: Pick<SessionController, 'view' | 'state'>, cwd: string, toolUseId: string): Promise<void> {
		const row = controller.view.all.findLast((one) => isCall(one, toolUseId));
		const agentId = row?.kind === 'tool' && row.view.kind === 'agent' ? row.view.agentId : undefined;
		const { sessionId } = controller.state;
		const title = row?.kind === 'tool' ? row.summary : '';
		if (agentId === undefined || (await textOf({ cwd, sessionId, agentId })) === undefined) {
			void vscode.window.showWarningMessage(
				vscode.l10n.t('The steps of this subagent are not stored, or not any more.'),
			);
			return;
		}
		const uri = uriOf({ cwd, sessionId, agentId, title });
		// It may have gone on since it was opened.
		this.changed.fire(uri);
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const gone = vscode.l10n.t('The steps of this subagent are not stored, or not any more.');
		const known = placeOf(uri);
		const text = known && (await textOf(known));
		if (known === undefined || text === undefined) return gone;
		this.follow(uri, known);
		const words = {
			...exportWords(),
			title: known.title === '' ? vscode.l10n.t('Subagent') : vscode.l10n.t('Subagent: {0}', known.title),
			you: vscode.l10n.t('Its task'),
			agent: vscode.l10n.t('Subagent'),
		};
		const { entries } = parseTranscript(text);
		return agentMarkdown(entries, { agentId: known.agentId, state: this.state(), folder: known.cwd, words });
	}

	dispose(): void {
		this.registrations.dispose();
		for (const end of this.followed.values()) end();
		this.changed.dispose();
	}

	private follow(uri: vscode.Uri, known: AgentPlace): void {
		const address = uri.toString();
		if (this.followed.has(address)) return;
		const end = followFile(fileOf(known), growMs, () => this.changed.fire(uri));
		if (end) this.followed.set(address, end);
	}

	private leave(address: string): void {
		this.followed.get(address)?.();
		this.followed.delete(address);
	}
}

function isCall(row: Row, toolUseId: string): boolean {
	return row.kind === 'tool' && row.toolUseId === toolUseId;
}

function uriOf(known: AgentPlace): vscode.Uri {
	const name = known.title.replaceAll(/[\\/:*?"<>|\s]+/g, ' ').trim();
	const shown = name === '' ? known.agentId : name.slice(0, longestName);
	return vscode.Uri.from({ scheme, path: path.posix.join('/', `${shown}.md`), query: JSON.stringify(known) });
}

function placeOf({ query }: vscode.Uri): AgentPlace | undefined {
	try {
		return place.safeParse(JSON.parse(query)).data;
	} catch {
		return undefined;
	}
}

/** Undefined when it cannot be read. */
async function textOf(known: Omit<AgentPlace, 'title'>): Promise<string | undefined> {
	if (!isSessionId(known.sessionId)) return undefined;
	return readFile(fileOf(known), 'utf8').catch(() => undefined);
}

/** Contract: of a session's id only. */
function fileOf({ cwd, sessionId, agentId }: Omit<AgentPlace, 'title'>): string {
	return agentFile(sessionFolder(cwd, sessionId), agentId);
}
