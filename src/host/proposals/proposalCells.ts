// Proposals at the cells of open notebooks: a line below the cell with Accept, Deny and the diff. VS Code draws no comment thread
// of an extension in a cell. Contract: nothing is registered before a cell has a proposal.
import * as vscode from 'vscode';
import { outcomesOf, type OpenProposal } from './openProposal.ts';

export class ProposalCells implements vscode.NotebookCellStatusBarItemProvider, vscode.Disposable {
	private readonly at: (cell: vscode.Uri) => readonly OpenProposal[];
	private readonly changed = new vscode.EventEmitter<void>();
	readonly onDidChangeCellStatusBarItems = this.changed.event;
	private registration: vscode.Disposable | undefined;

	/** `at`: the proposals that wait at a cell. */
	constructor(at: (cell: vscode.Uri) => readonly OpenProposal[]) {
		this.at = at;
	}

	/** A proposal of a cell came, changed or went. */
	refresh(): void {
		this.registration ??= vscode.notebooks.registerNotebookCellStatusBarItemProvider('*', this);
		this.changed.fire();
	}

	provideCellStatusBarItems({ document: { uri } }: vscode.NotebookCell): vscode.NotebookCellStatusBarItem[] {
		const proposals = this.at(uri);
		if (proposals.length === 0) return [];
		const diff = item(
			`$(diff) ${proposals.map(labelOf).join(', ')}`,
			vscode.l10n.t('Open as diff'),
			'proposal.openDiff',
			uri,
		);
		return [
			diff,
			item(`$(check) ${vscode.l10n.t('Accept')}`, vscode.l10n.t('Accept this change'), 'proposal.acceptFile', uri),
			item(`$(close) ${vscode.l10n.t('Deny')}`, vscode.l10n.t('Deny this change'), 'proposal.denyFile', uri),
		];
	}

	dispose(): void {
		this.registration?.dispose();
		this.changed.dispose();
	}
}

function item(label: string, tooltip: string, command: string, uri: vscode.Uri): vscode.NotebookCellStatusBarItem {
	const made = new vscode.NotebookCellStatusBarItem(label, vscode.NotebookCellStatusBarAlignment.Left);
	made.tooltip = tooltip;
	made.accessibilityInformation = { label: `${label.replace(/^\$\([\w-]+\) /, '')}, ${tooltip}`, role: 'button' };
	made.command = { title: tooltip, command: `loopwright.${command}`, arguments: [uri] };
	return made;
}

function labelOf(proposal: OpenProposal): string {
	const kind = proposal.proposed.cell?.kind;
	if (kind === 'insert') return vscode.l10n.t('Proposed: a new cell');
	if (kind === 'delete') return vscode.l10n.t('Proposed: delete this cell');
	const left = outcomesOf(proposal).filter((outcome) => outcome === null).length;
	return left === 1 ? vscode.l10n.t('Proposed change') : vscode.l10n.t('{0} proposed changes', left);
}
