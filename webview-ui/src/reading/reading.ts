// How the person reads the conversation: what they look for, where they want to go, whether tool activity is hidden. The panel's
// own state, beside the store, which is the host's.
import { t } from '@vscode/l10n';
import { batch, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { OutlinePrompt, ToWebview } from '../../../src/shared/protocol.ts';
import { startOf } from './hits.ts';
import type { Hit } from './hits.ts';

export type FoundMessage = Extract<ToWebview, { type: 'found' }>;

/** A row to show, however it is folded; `place` is the one of its places that is meant, from 0. A new object for each wish. */
export interface Goal {
	readonly rowId: string;
	readonly place: number | undefined;
}

export interface Reading {
	/** The find bar is open. */
	readonly finding: Signal<boolean>;
	/** Rises with each wish to type into the find bar. */
	readonly findFocus: Signal<number>;
	readonly query: Signal<string>;
	readonly found: Signal<FoundMessage | undefined>;
	/** Index of the current place among all. */
	readonly hit: Signal<number>;
	/** Undefined until the host has told it. */
	readonly outline: Signal<readonly OutlinePrompt[] | undefined>;
	readonly goal: Signal<Goal | undefined>;
	/** What happened to what the person reads, for screen readers. */
	readonly said: Signal<string>;
	/** Tool activity and thinking are hidden. */
	readonly focusView: Signal<boolean>;
	receive(message: ToWebview): void;
	goTo(rowId: string): void;
	/** The place with this index; beyond the ends it begins anew. */
	goToHit(index: number): void;
	openFind(): void;
	closeFind(): void;
	/** What was found is not there any more: another conversation is shown. */
	forgetFound(): void;
}

export function createReading(focusView: boolean): Reading {
	const finding = signal(false);
	const findFocus = signal(0);
	const query = signal('');
	const found = signal<FoundMessage | undefined>(undefined);
	const hit = signal(0);
	const outline = signal<readonly OutlinePrompt[] | undefined>(undefined);
	const goal = signal<Goal | undefined>(undefined);
	const said = signal('');

	const show = ({ rowId, place, index }: Hit) =>
		batch(() => {
			hit.value = index;
			goal.value = { rowId, place };
		});

	return {
		finding,
		findFocus,
		query,
		found,
		hit,
		outline,
		goal,
		said,
		focusView: signal(focusView),
		receive(message) {
			if (message.type === 'outline') outline.value = message.prompts;
			if (message.type === 'copied') {
				said.value =
					message.outcome === 'whole'
						? t('The whole conversation was copied.')
						: t('The conversation is too long to be copied.');
			}
			if (message.type !== 'found' || message.query !== query.peek()) return;
			found.value = message;
			const start = startOf(message.rows, -1);
			if (start) show(start);
		},
		goTo(rowId) {
			goal.value = { rowId, place: undefined };
		},
		goToHit(index) {
			const { rows } = found.peek() ?? { rows: [] };
			const next = startOf(rows, index);
			if (next) show(next);
		},
		openFind() {
			finding.value = true;
			findFocus.value += 1;
		},
		forgetFound() {
			batch(() => {
				found.value = undefined;
				goal.value = undefined;
			});
		},
		closeFind() {
			batch(() => {
				finding.value = false;
				query.value = '';
				found.value = undefined;
				goal.value = undefined;
			});
		},
	};
}
