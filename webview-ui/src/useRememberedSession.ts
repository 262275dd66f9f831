// Which conversation a page shows is kept with the page: a tab of the editor finds it again when the window is loaded anew.
import { useSignalEffect } from '@preact/signals';
import { usePanel } from './panelContext.ts';

export function useRememberedSession(): void {
	const { store, bridge } = usePanel();
	useSignalEffect(() => {
		const sessionId = store.state.value?.sessionId ?? '';
		if (sessionId !== '' && sessionId !== bridge.kept().sessionId) bridge.keep({ sessionId });
	});
}
