// The conversations as comments of the review need them: the open one, and earlier ones of the same folder.
import { SessionStore } from '../../node/sessions/sessionStore.ts';
import type { OpenConversation } from '../openConversation.ts';
import type { ChatView } from '../panel/chatView.ts';
import type { Conversations } from '../session/conversations.ts';
import type { ReviewConversations } from './reviewComment.ts';

export interface ConversationDeps {
	readonly conversations: Conversations<OpenConversation>;
	readonly chat: ChatView<OpenConversation>;
	/** Folders whose sessions can be opened. */
	readonly roots: () => readonly string[];
	readonly failed: (what: string, error: unknown) => void;
}

export function reviewConversations({ conversations, chat, roots, failed }: ConversationDeps): ReviewConversations {
	return {
		current: async () => {
			const { controller } = conversations.front;
			await controller.open();
			return controller.state.sessionId;
		},
		exists: async (id) => {
			const found = await new SessionStore().find(id);
			return found !== undefined && roots().includes(found.cwd);
		},
		open: async (id) => {
			const conversation = conversations.open(id);
			conversations.present(conversation);
			await conversation.opened();
		},
		send: async (text) => {
			const { controller } = conversations.front;
			await chat.reveal(true);
			controller.submit(text).catch((error: unknown) => failed('a comment', error));
		},
		compose: (text) => chat.focusComposer(text),
	};
}
