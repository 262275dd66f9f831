// Which prompt of which conversation an edit belongs to, from the events of the conversation. No `vscode`.
import { textOf } from '../../core/messages/types.ts';
import type { ReviewTurn } from '../../core/review/reviewedFile.ts';
import type { AgentEvent } from '../panel/projection.ts';

/** Characters of a prompt that are kept for its title. */
const promptLength = 80;

export class ReviewTurns {
	private readonly sessionId: () => string;
	private latest: ReviewTurn | undefined;

	constructor(sessionId: () => string) {
		this.sessionId = sessionId;
	}

	/** Of what the agent does now. After a reload that goes on with a turn the prompt is not known. */
	current(): ReviewTurn {
		const sessionId = this.sessionId();
		return this.latest?.sessionId === sessionId ? this.latest : { sessionId, promptId: sessionId, prompt: '' };
	}

	accept(event: AgentEvent): void {
		if (event.type !== 'prompt_taken') return;
		const { message } = event;
		const prompt = textOf(message).replaceAll(/\s+/g, ' ').trim();
		this.latest = {
			sessionId: this.sessionId(),
			promptId: message.id,
			prompt: prompt.length > promptLength ? `${prompt.slice(0, promptLength)}…` : prompt,
		};
	}
}
