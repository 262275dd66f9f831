// The requests that wait for the person: the oldest is shown, the others are folded below it and can be looked at first. They
// stand above the composer and are never scrolled away. The focus never gets lost when a card goes.
import { t } from '@vscode/l10n';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import { Icon } from '../Icon.tsx';
import { RequestCard } from './RequestCard.tsx';
import { moreWait, requestSentence } from './permissionWords.ts';
import { focusWaiting } from './requestFocus.ts';

export function PermissionQueue({ requests }: { readonly requests: readonly PermissionRequest[] }) {
	const [chosen, setChosen] = useState<string | undefined>(undefined);
	const shown = requests.find(({ id }) => id === chosen) ?? requests[0];
	const root = useRef<HTMLDivElement>(null);
	const before = usePrevious(shown?.id);
	useKeptFocus(root, shown?.id);
	return (
		<div class="requests" ref={root}>
			{shown && (
				<RequestCard
					key={shown.id}
					request={shown}
					position={requests.indexOf(shown) + 1}
					count={requests.length}
					replaces={before !== undefined && before !== shown.id}
				/>
			)}
			{shown && requests.length > 1 && (
				<Others
					requests={requests.filter((request) => request !== shown)}
					onChoose={(id) => {
						setChosen(id);
						requestAnimationFrame(focusWaiting);
					}}
				/>
			)}
		</div>
	);
}

interface OthersProps {
	readonly requests: readonly PermissionRequest[];
	readonly onChoose: (id: string) => void;
}

function Others({ requests, onChoose }: OthersProps) {
	const [open, setOpen] = useState(false);
	const id = useId();
	return (
		<div class="more-requests">
			<button
				type="button"
				class="quiet"
				aria-expanded={open}
				aria-controls={open ? id : undefined}
				onClick={() => setOpen(!open)}
			>
				<Icon name="chevron-right" />
				{moreWait(requests.length)}
			</button>
			{open && (
				<ul id={id}>
					{requests.map((request) => (
						<li key={request.id}>
							<button
								type="button"
								class="quiet other"
								title={t('Show this one first')}
								onClick={() => onChoose(request.id)}
							>
								{requestSentence(request)}
								{request.agent !== undefined && (
									<span class="permission-agent small">{t('for the subagent {0}', request.agent)}</span>
								)}
							</button>
						</li>
					))}
				</ul>
			)}
		</div>
	);
}

function usePrevious(id: string | undefined): string | undefined {
	const kept = useRef(id);
	const before = kept.current;
	useEffect(() => {
		kept.current = id;
	}, [id]);
	return before;
}

/** When the card that had the focus goes, the next one gets it; after the last, the composer. */
function useKeptFocus(root: { readonly current: HTMLElement | null }, shown: string | undefined): void {
	const inside = useRef(false);
	useEffect(() => {
		const onFocus = (event: FocusEvent) => {
			inside.current = event.target instanceof Node && root.current?.contains(event.target) === true;
		};
		document.addEventListener('focusin', onFocus);
		return () => document.removeEventListener('focusin', onFocus);
	}, []);
	useLayoutEffect(() => {
		const lost = inside.current && (document.activeElement === null || document.activeElement === document.body);
		if (lost && document.hasFocus()) focusWaiting();
	}, [shown]);
}
