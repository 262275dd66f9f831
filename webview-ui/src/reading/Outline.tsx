// The person's prompts as a list to jump by, also to those that are not loaded yet. Arrow keys, Home, End, Enter, Esc.
import { t } from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { OutlinePrompt } from '../../../src/shared/protocol.ts';
import { isImeKey, menuMove } from '../dock/composerKeys.ts';
import { clockTime } from '../format.ts';
import { usePanel } from '../panelContext.ts';

interface Props {
	readonly id: string;
	readonly onClose: () => void;
}

export function Outline({ id, onClose }: Props) {
	const { reading, bridge } = usePanel();
	const list = useRef<HTMLOListElement>(null);
	const { value: prompts } = reading.outline;
	const focus = (index: number) => list.current?.querySelectorAll<HTMLElement>('button')[index]?.focus();
	useEffect(() => bridge.send({ type: 'outline_requested' }), []);
	useLayoutEffect(() => {
		if (prompts) focus(prompts.length - 1);
	}, [prompts]);
	const onKeyDown = (event: KeyboardEvent) => {
		if (isImeKey(event)) return;
		const buttons = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
		const at = buttons.findIndex((button) => button === document.activeElement);
		const next = buttons.length > 0 ? menuMove(event.key, Math.max(0, at), buttons.length) : undefined;
		if (next !== undefined) focus(next);
		else if (event.key === 'Escape') onClose();
		else return;
		event.preventDefault();
		event.stopPropagation();
	};
	const choose = (prompt: OutlinePrompt) => {
		onClose();
		reading.goTo(prompt.id);
	};
	return (
		<nav class="outline" id={id} aria-label={t('Your messages')} onKeyDown={onKeyDown}>
			{prompts && (
				<ol ref={list}>
					{prompts.map((prompt) => (
						<li key={prompt.id}>
							<button type="button" class="menu-item" title={prompt.text} onClick={() => choose(prompt)}>
								<span class="outline-text" dir="auto">
									{prompt.text.trim().split('\n', 1)[0]}
								</span>
								<span class="small">{prompt.time > 0 && clockTime(prompt.time, Date.now())}</span>
							</button>
						</li>
					))}
				</ol>
			)}
		</nav>
	);
}
