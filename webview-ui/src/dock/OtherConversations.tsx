// What goes on in conversations that are not shown here, in few words; it leads to the list of all.
import { t } from '@vscode/l10n';
import type { OthersView } from '../../../src/shared/view.ts';
import { usePanel } from '../panelContext.ts';

export function OtherConversations({ others }: { readonly others: OthersView | null }) {
	const { bridge } = usePanel();
	if (!others) return null;
	const words = othersWords(others).join(' · ');
	return (
		<button
			type="button"
			class={others.waiting > 0 ? 'others waits' : 'others'}
			title={`${words}\n${t('Other conversations: show the list')}`}
			onClick={() => bridge.send({ type: 'command_requested', command: 'history' })}
		>
			{words}
		</button>
	);
}

/** The most urgent first. */
function othersWords({ waiting, working, done, interrupted = 0 }: OthersView): readonly string[] {
	return [
		...(waiting === 0 ? [] : [waiting === 1 ? t('1 other waits for you') : t('{0} others wait for you', waiting)]),
		...(working === 0 ? [] : [working === 1 ? t('1 other works') : t('{0} others work', working)]),
		...(interrupted === 0
			? []
			: [interrupted === 1 ? t('1 other was interrupted') : t('{0} others were interrupted', interrupted)]),
		...(done === 0 ? [] : [done === 1 ? t('1 other is done') : t('{0} others are done', done)]),
	];
}
