// The scrolling conversation: one article per prompt and per answer. It follows its growth only while the person is at the
// bottom (`follow.ts`), loads earlier rows at the top, and remembers the place for the next life of the page.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { ExchangeView } from './ExchangeView.tsx';
import { Stretch } from './near/Stretch.tsx';
import type { Cutting, Part } from './near/parts.ts';
import { supposedHeight } from './near/supposedHeight.ts';
import { useParts } from './near/useParts.ts';
import { ReadingBar } from './reading/ReadingBar.tsx';
import { useGoal } from './reading/useGoal.ts';
import { useWholeSelection } from './reading/wholeSelection.ts';
import { Icon } from './Icon.tsx';
import { usePanel } from './panelContext.ts';
import type { Exchange } from './reducer.ts';
import { useFollow } from './useFollow.ts';

/** Groups that are drawn at the end of the conversation, wherever the reader is: the way there is never empty. */
const drawnAtEnd = 3;

/** Short exchanges are drawn together. */
const byRows: Cutting<Exchange> = {
	keyOf: ({ key }) => key,
	sizeOf: ({ answer }) => answer.length + 1,
	full: 6,
};

export function Conversation() {
	const { store, reading } = usePanel();
	const { scroller, content, pinned, loadEarlier, jump, leave, handlers } = useFollow();
	useGoal(scroller, leave);
	useWholeSelection(content);
	const groups = useParts(store.exchanges.value, byRows);
	return (
		<div class={reading.focusView.value ? 'conversation focus-view' : 'conversation'}>
			<ReadingBar />
			<div
				ref={scroller}
				class="log"
				role="log"
				aria-live="off"
				aria-label={t('Conversation')}
				tabIndex={0}
				{...handlers}
			>
				<div ref={content} class="log-content">
					{store.earlier.value > 0 && (
						<button type="button" class="quiet load-earlier" onClick={loadEarlier}>
							{t('Load earlier')}
						</button>
					)}
					{groups.map((group, index) => (
						<Group key={group.key} group={group} last={index >= groups.length - drawnAtEnd} />
					))}
				</div>
			</div>
			{!pinned.value && (
				<button type="button" class="jump" onClick={jump}>
					<Icon name="arrow-down" />
					{t('Jump to latest')}
				</button>
			)}
		</div>
	);
}

interface GroupProps {
	readonly group: Part<Exchange>;
	readonly last: boolean;
}

/** A group keeps its identity while nothing in it came or went, so an equal one needs no drawing. */
class Group extends Component<GroupProps> {
	override shouldComponentUpdate({ group, last }: GroupProps) {
		return group !== this.props.group || last !== this.props.last;
	}
	override render({ group, last }: GroupProps) {
		const rows = group.items.flatMap(({ prompt, answer }) => (prompt === undefined ? answer : [prompt, ...answer]));
		return (
			<Stretch
				id={`group ${group.key}`}
				rows={rows}
				always={last}
				supposed={supposedHeight}
				draw={() =>
					group.items.map((exchange, index) => (
						<ExchangeView key={exchange.key} exchange={exchange} last={last && index === group.items.length - 1} />
					))
				}
			/>
		);
	}
}
