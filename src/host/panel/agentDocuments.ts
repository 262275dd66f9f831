// All that a subagent did as a read-only document, from its transcript on the disk. The document's address says all that is needed to
// read it, so that its tab is there again after a reload. Contract: nothing outside of the sessions' own folder is read.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { agentFile } from '../../node/sessions/agentTranscripts.ts';
import { isSessionId, sessionFolder } from '../../node/sessions/paths.ts';
import { parseTranscript } from '../../node/sessions/transcriptFile.ts';
import type { Row, ViewState } from '../../shared/view.ts';
import type { SessionController } from '../session/sessionController.ts';
import { agentMarkdown } from './agentTranscript.ts';
import { exportWords } from './exportWords.ts';

const scheme = 'loopwright-agent';
/** Characters of a document's name. */
const longestName = 60;

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
	private readonly registration: vscode.Disposable;
	private readonly state: () => ViewState;

	/** `state`: of some conversation of the window, for the names of models. */
	constructor(state: () => ViewState) {
		this.state = state;
		this.registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
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
		this.registration.dispose();
		this.changed.dispose();
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
async function textOf({ cwd, sessionId, agentId }: Omit<AgentPlace, 'title'>): Promise<string | undefined> {
	if (!isSessionId(sessionId)) return undefined;
	return readFile(agentFile(sessionFolder(cwd, sessionId), agentId), 'utf8').catch(() => undefined);
}
