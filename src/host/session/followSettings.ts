// What a conversation follows while it is open: the rules, the trust and the modes that the settings offer.
import type * as vscode from 'vscode';
import type { Conversation } from '../../core/session/engineApi.ts';
import type { Log } from '../log.ts';
import type { HostSettings } from '../settings/hostSettings.ts';

/** Other rules or trust hold at once, for open requests too; a mode that is not on offer any more is left. */
export function followSettings(settings: HostSettings, conversation: Conversation, log: Log): vscode.Disposable {
	const follow = async () => {
		if (!settings.offeredModes.includes(conversation.mode)) await conversation.setMode('default');
		await conversation.rulesChanged();
	};
	const followOrTell = () => void follow().catch((error: unknown) => log.failed('following the settings', error));
	// A stored session may bring such a mode.
	followOrTell();
	return settings.onChange(followOrTell);
}
