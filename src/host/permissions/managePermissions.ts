// `loopwright.managePermissions`: a list of all rules in which typing tests a command or a path live. Enter opens the place of a
// rule, its button takes it out (only from our own files), and a last line adds one.
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { BookRule, RuleBook, RuleBookContents } from './ruleBook.ts';
import { addRule } from './addRule.ts';
import { translated } from '../settings/problemNotice.ts';
import { listItems, verdictItem, type PermissionItem } from './permissionItems.ts';
import { supposedCalls } from './supposedCalls.ts';

export interface ManageDeps {
	readonly book: RuleBook;
	/** Where commands would start; absolute. Empty when no folder is open. */
	folder(): string;
}

/** Resolves when the person has closed it. */
export async function managePermissions(deps: ManageDeps): Promise<void> {
	const picker = vscode.window.createQuickPick<PermissionItem>();
	picker.title = vscode.l10n.t('Permissions');
	picker.placeholder = vscode.l10n.t('Type a command or a path to test it, or choose a rule');
	picker.matchOnDescription = true;
	const list = new PermissionList(deps, picker);
	picker.onDidChangeValue(() => void list.test());
	picker.onDidTriggerItemButton(({ item }) => void (item.rule && list.remove(item.rule)));
	const done = new Promise<PermissionItem | undefined>((resolve) => {
		picker.onDidAccept(() => {
			const [item] = picker.activeItems;
			if (item?.place || item?.add) resolve(item);
		});
		picker.onDidHide(() => resolve(undefined));
	});
	try {
		picker.busy = true;
		picker.show();
		await list.load();
		picker.busy = false;
		const item = await done;
		const { value } = picker;
		picker.hide();
		if (item?.place) await openPlace(item.place);
		else if (item?.add) await addRule(deps.book, { inFolder: deps.folder() !== '', typed: value });
	} finally {
		picker.dispose();
	}
}

class PermissionList {
	private readonly deps: ManageDeps;
	private readonly picker: vscode.QuickPick<PermissionItem>;
	private contents: RuleBookContents = { rules: [], problems: [] };
	private verdicts: readonly PermissionItem[] = [];
	/** Of the newest test: an older one that comes late is dropped. */
	private tests = 0;

	constructor(deps: ManageDeps, picker: vscode.QuickPick<PermissionItem>) {
		this.deps = deps;
		this.picker = picker;
	}

	async load(): Promise<void> {
		this.contents = await this.deps.book.read();
		await this.test();
	}

	async test(): Promise<void> {
		const test = ++this.tests;
		const folder = this.deps.folder();
		const home = homedir();
		const calls = supposedCalls(this.picker.value, { cwd: folder === '' ? home : folder, home });
		const verdicts = await Promise.all(
			calls.map(async (call) => verdictItem(call, await this.deps.book.test(call), folder)),
		);
		if (test !== this.tests) return;
		this.verdicts = verdicts;
		this.draw();
	}

	async remove(rule: BookRule): Promise<void> {
		// The question below takes the focus, which would close the list.
		this.picker.ignoreFocusOut = true;
		// Without such a rule more may happen unasked.
		if (rule.behavior === 'allow' || (await confirmed(rule))) {
			const problem = await this.deps.book.remove(rule);
			if (problem) void vscode.window.showErrorMessage(`${translated(problem)}.`);
		}
		this.picker.ignoreFocusOut = false;
		await this.load();
	}

	private draw(): void {
		this.picker.items = [...this.verdicts, ...listItems(this.contents, this.deps.folder())];
	}
}

async function confirmed({ text }: BookRule): Promise<boolean> {
	const remove = vscode.l10n.t('Remove');
	const question = vscode.l10n.t('Remove the rule {0}? What it held back may then happen.', text);
	return (await vscode.window.showWarningMessage(question, { modal: true }, remove)) === remove;
}

async function openPlace({ file, line }: NonNullable<PermissionItem['place']>): Promise<void> {
	const selection = new vscode.Range(line - 1, 0, line - 1, 0);
	await vscode.window.showTextDocument(vscode.Uri.file(file), { selection, preview: true });
}
