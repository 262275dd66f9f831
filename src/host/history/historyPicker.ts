// The list of the history: one native quick pick, by keyboard alone. It only shows and says what the person wants; what changes
// something is done by whoever shows it, and the list is shown again as it was.
import * as vscode from 'vscode';
import type { SessionInfo } from '../../node/sessions/sessionInfo.ts';
import { emptyItem, sessionItems, undoItem } from './historyItems.ts';
import type { ActionButton, Removed, SessionAction, SessionItem } from './historyItems.ts';
import { historyRows, neighbour, type HistoryOrder, type HistoryRow } from './historyRows.ts';
import { HistorySearch, type HistorySearchDeps } from './historySearch.ts';

/** How the list stands, to show it again. */
export interface HistoryView {
	readonly text: string;
	readonly archived: boolean;
	/** The session that the keys are on. */
	readonly active?: string | undefined;
	/** What was deleted from it just now. */
	readonly removed?: Removed | undefined;
}

export interface HistoryChoice {
	readonly what: SessionAction | 'menu' | 'import' | 'undo';
	/** Absent for `import` and `undo`. */
	readonly info: SessionInfo | undefined;
	/** As it stands now, and with the keys on the next one. */
	readonly view: HistoryView;
	readonly without: HistoryView;
}

export interface HistoryPickerDeps {
	readonly list: () => Promise<readonly SessionInfo[]>;
	/** Those that this window has open. */
	readonly open: () => HistoryOrder['open'];
	readonly search: Omit<HistorySearchDeps, 'changed'>;
	/** Sessions were changed by something else than the list. */
	readonly onChange: vscode.Event<void>;
	readonly now: () => number;
}

/** Undefined when the person has left. */
export function pickSession(deps: HistoryPickerDeps, view: HistoryView): Promise<HistoryChoice | undefined> {
	return new HistoryPicker(deps, view).pick();
}

class HistoryPicker {
	private readonly deps: HistoryPickerDeps;
	private readonly picker = vscode.window.createQuickPick<SessionItem>();
	private readonly search: HistorySearch;
	private readonly menuButton: vscode.QuickInputButton;
	private readonly importButton: vscode.QuickInputButton;
	private infos: readonly SessionInfo[] | undefined;
	private rows: readonly HistoryRow[] = [];
	private archived: boolean;
	private readonly removed: Removed | undefined;
	/** Where the keys are to be once the sessions are there. */
	private goal: string | undefined;
	/** Where they were last, for these words. */
	private last: SessionItem | undefined;

	constructor(deps: HistoryPickerDeps, view: HistoryView) {
		this.deps = deps;
		this.archived = view.archived;
		this.goal = view.active;
		this.removed = view.removed;
		this.search = new HistorySearch({ ...deps.search, changed: () => this.draw() });
		this.menuButton = button('ellipsis', vscode.l10n.t('Actions for the chosen conversation…'));
		this.importButton = button('cloud-download', vscode.l10n.t('Import…'));
		this.picker.title = vscode.l10n.t('History');
		this.picker.placeholder = vscode.l10n.t('Search titles and contents; Enter opens');
		this.picker.value = view.text;
	}

	async pick(): Promise<HistoryChoice | undefined> {
		const { picker } = this;
		const subscription = this.deps.onChange(() => void this.load());
		try {
			return await new Promise((resolve) => {
				const chosen = (what: HistoryChoice['what'], info?: SessionInfo) => {
					if (what !== 'import' && what !== 'undo' && !info) return;
					const view = this.viewAt(info?.id ?? this.active?.id);
					const next = info && neighbour(this.rows, info.id);
					resolve({ what, info, view, without: { ...view, active: next } });
				};
				picker.onDidChangeValue((text) => {
					this.last = undefined;
					this.search.look(text);
					this.draw(false);
				});
				picker.onDidChangeActive(([item]) => (this.last = item ?? this.last));
				picker.onDidAccept(() => (this.activeItem?.undo ? chosen('undo') : chosen('open', this.active)));
				picker.onDidTriggerItemButton(({ item, button: pressed }) =>
					chosen((pressed as ActionButton).action, item.row?.info),
				);
				picker.onDidTriggerButton((pressed) => {
					if (pressed === this.menuButton) chosen('menu', this.active);
					else if (pressed === this.importButton) chosen('import');
					else this.toggleArchived();
				});
				picker.onDidHide(() => resolve(undefined));
				this.showButtons();
				this.search.look(picker.value);
				picker.show();
				void this.load();
			});
		} finally {
			subscription.dispose();
			this.search.dispose();
			picker.dispose();
		}
	}

	private get active(): SessionInfo | undefined {
		return this.activeItem?.row?.info;
	}

	/** While the list is filled anew VS Code has none for a moment: then it is the one that was, unless other words were typed; else the first. */
	private get activeItem(): SessionItem | undefined {
		const { activeItems, items } = this.picker;
		const { last } = this;
		const same = ({ undo, row }: SessionItem) =>
			last?.undo ? undo !== undefined : row !== undefined && row.info.id === last?.row?.info.id;
		return activeItems[0] ?? items.find(same) ?? items[0];
	}

	private viewAt(active: string | undefined): HistoryView {
		return { text: this.picker.value, archived: this.archived, active, removed: this.removed };
	}

	private toggleArchived(): void {
		this.archived = !this.archived;
		this.showButtons();
		this.draw();
	}

	private showButtons(): void {
		const archived = this.archived
			? button('eye-closed', vscode.l10n.t('Hide archived conversations'))
			: button('archive', vscode.l10n.t('Show archived conversations'));
		this.picker.buttons = [this.menuButton, archived, this.importButton];
	}

	private async load(): Promise<void> {
		this.infos = await this.deps.list();
		this.draw();
	}

	/** `keep`: the keys stay on the session that they are on; else they go to the best one. */
	private draw(keep = true): void {
		const { picker, deps, infos } = this;
		picker.busy = !infos || this.search.busy;
		if (!infos) return;
		const active = this.goal ?? (keep ? this.active?.id : undefined);
		this.goal = undefined;
		const { value: text } = picker;
		const now = deps.now();
		this.rows = historyRows(infos, {
			open: deps.open(),
			now,
			text,
			archived: this.archived,
			hits: this.search.hits,
		});
		const found = this.rows.length === 0 ? [emptyItem(this.search.busy, text)] : sessionItems(this.rows, now);
		const items = this.removed ? [undoItem(this.removed), ...found] : found;
		picker.keepScrollPosition = true;
		picker.items = items;
		const kept = items.find(({ row }) => row !== undefined && row.info.id === active);
		if (kept) picker.activeItems = [kept];
	}
}

function button(icon: string, tooltip: string): vscode.QuickInputButton {
	return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
