// The work beside a conversation, made of the engine's parts: its questions go to the small model and count like any other.
import type { BackgroundSettings } from '../background/ask.ts';
import { Background } from '../background/background.ts';
import type { UserMessage } from '../messages/types.ts';
import type { ModelCallParts } from './modelCalls.ts';
import { askModel } from './modelCalls.ts';
import type { EngineOptions, SessionEvent } from './options.ts';

const allOff: BackgroundSettings = {
	memory: false,
	suggestions: false,
	labels: false,
	title: false,
	consolidation: false,
};

export function backgroundWork(
	{ ports, settings }: EngineOptions,
	calls: ModelCallParts,
	emit: (event: SessionEvent) => void,
): Background {
	const { memory, dream, clock, uuid } = ports;
	return new Background({
		ask(question, signal) {
			const { smallModel } = settings();
			const content = [{ type: 'text', text: question }] as const;
			const message: UserMessage = { role: 'user', id: uuid(), origin: 'hidden', content, time: clock.now() };
			const model = smallModel === undefined ? {} : { model: smallModel };
			return askModel([message], { signal, conversation: false, background: true, ...model }, calls);
		},
		settings: () => ({ ...allOff, ...settings().background }),
		...(memory ? { memory } : {}),
		...(dream ? { dream } : {}),
		now: () => clock.now(),
		onSuggestion: (text) => emit({ type: 'prompt_suggested', text }),
		onTitle: (title) => emit({ type: 'session_titled', title }),
		onMemory: (names) => emit({ type: 'memory_changed', names }),
		onProblem: (work, error) => {
			emit({ type: 'background_failed', work, message: error instanceof Error ? error.message : String(error) });
		},
	});
}
