// The conversations as comments of the review need them: the open one, and earlier ones of the same folder.
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { SessionController } from '../session/sessionController.ts';
import type { ReviewConversations } from './reviewComment.ts';

export interface ConversationDeps {
	readonly controller: SessionController;
	readonly chat: ChatView;
	/** The folder that sessions belong to. */
	readonly cwd: () => string;
	readonly failed: (what: string, error: unknown) => void;
}

export function reviewConversations({ controller, chat, cwd, failed }: ConversationDeps): ReviewConversations {
	return {
		current: async () => (await controller.open(), controller.state.sessionId),
		exists: async (id) => (await new SessionStore().find(id))?.cwd === cwd(),
		open: (id) => controller.replace(() => Promise.resolve(id)),
		send: async (text) => {
			await chat.reveal(true);
			controller.submit(text).catch((error: unknown) => failed('a comment', error));
		},
		compose: (text) => chat.focusComposer(text),
	};
}
