// Phase 5: what the next turn should know besides the results. Each source is asked at the turn boundary and never holds
// it up; today that is what the person typed while the tools ran.
import type { UserMessage } from '../messages/types.ts';
import type { LoopEvent } from './events.ts';
import type { QueryParams } from './params.ts';

export async function* attachContext(params: QueryParams): AsyncGenerator<LoopEvent, readonly UserMessage[]> {
	const attached: UserMessage[] = [];
	for (const prompt of params.queue.takeAll()) {
		const message: UserMessage = {
			role: 'user',
			id: params.deps.uuid(),
			origin: 'prompt',
			content: [{ type: 'text', text: prompt.text }],
			time: params.deps.clock.now(),
		};
		await params.deps.journal.append({ type: 'user', message });
		yield { type: 'prompt_taken', message, queueId: prompt.id };
		attached.push(message);
	}
	return attached;
}
