// The work beside a conversation, made of the engine's parts: its questions go to the small model and count like any other.
import type { BackgroundSettings } from '../background/ask.ts';
import { Background } from '../background/background.ts';
import { memoryText } from '../memory/memoryStore.ts';
import type { UserMessage } from '../messages/types.ts';
import type { ModelCallParts } from './modelCalls.ts';
import { askModel } from './modelCalls.ts';
import type { EngineOptions, SessionEvent } from './options.ts';

const allOff: BackgroundSettings = { memory: false, suggestions: false, labels: false, consolidation: false };

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
		onMemory: (names) => emit({ type: 'memory_changed', names }),
		onProblem: (work, error) => {
			emit({ type: 'background_failed', work, message: error instanceof Error ? error.message : String(error) });
		},
	});
}

/** The project's memory as a new session begins with it; empty when it is off, empty or cannot be read. */
export async function remembered({ ports, settings }: EngineOptions): Promise<string> {
	if (!settings().background?.memory || !ports.memory) return '';
	const files = await ports.memory.list().catch(() => []);
	const text = memoryText(files);
	return text === ''
		? ''
		: `\n<project-memory>\nNotes from earlier sessions in this project; they may be out of date.\n\n${text}\n</project-memory>`;
}
