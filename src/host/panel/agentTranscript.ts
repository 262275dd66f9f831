// All that a subagent did, as a document to read: its transcript, shown as the panel would show a conversation. Pure.
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { ViewState } from '../../shared/view.ts';
import { conversationMarkdown, type ExportWords } from './exportConversation.ts';
import { showTranscript } from './transcriptRows.ts';
import { ViewModel } from './viewModel.ts';

export interface AgentTranscriptParts {
	readonly agentId: string;
	/** Of the conversation. */
	readonly state: ViewState;
	/** Absolute; shortens the paths of tool calls. */
	readonly folder: string;
	readonly words: ExportWords;
}

export function agentMarkdown(entries: readonly StoredEntry[], parts: AgentTranscriptParts): string {
	const { agentId, state, folder, words } = parts;
	const view = new ViewModel(state);
	showTranscript(view, entries, folder);
	const id = entries.findLast((entry) => entry.type === 'model')?.model ?? state.model.id;
	const model = state.models.find((known) => known.id === id) ?? { id, name: id };
	return conversationMarkdown({ sessionId: agentId, model }, view.all, words);
}
