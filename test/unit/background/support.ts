// Doubles for the work beside a conversation: a memory in memory, a lock, and a small model that the test plays.
import type { Ask } from '../../../src/core/background/ask.ts';
import type { DreamPort } from '../../../src/core/memory/dreamPort.ts';
import type { MemoryFile, MemoryStore } from '../../../src/core/memory/memoryStore.ts';
import type { AssistantMessage, Message, UserMessage } from '../../../src/core/messages/types.ts';
import { noUsage } from '../../../src/core/messages/types.ts';

export class FakeMemoryStore implements MemoryStore {
	readonly files: Map<string, string>;

	constructor(files: Record<string, string> = {}) {
		this.files = new Map(Object.entries(files));
	}

	list(): Promise<readonly MemoryFile[]> {
		return Promise.resolve([...this.files].map(([name, text]) => ({ name, text })));
	}

	change(name: string, expected: string | undefined, text: string | undefined): Promise<boolean> {
		if (this.files.get(name) !== expected) return Promise.resolve(false);
		if (text === undefined) this.files.delete(name);
		else this.files.set(name, text);
		return Promise.resolve(true);
	}
}

export class FakeDreamPort implements DreamPort {
	last: number | undefined;
	sessions = 5;
	locked = false;
	readonly releases: boolean[] = [];
	now = 0;

	lastRun(): Promise<number | undefined> {
		return Promise.resolve(this.last);
	}

	sessionsSince(): Promise<number> {
		return Promise.resolve(this.sessions);
	}

	lock(): Promise<{ release: (done: boolean) => Promise<void> } | undefined> {
		if (this.locked) return Promise.resolve(undefined);
		this.locked = true;
		return Promise.resolve({
			release: (done) => {
				this.locked = false;
				this.releases.push(done);
				if (done) this.last = this.now;
				return Promise.resolve();
			},
		});
	}
}

/** Answers in order; the last one again and again. `questions` are what was asked. */
export function asking(...answers: (string | Promise<string>)[]): { ask: Ask; questions: string[] } {
	const questions: string[] = [];
	const ask: Ask = async (question, signal) => {
		const answer = answers[Math.min(questions.length, answers.length - 1)] ?? '';
		questions.push(question);
		let forget = () => {};
		const stopped = new Promise<undefined>((resolve) => {
			const stop = () => resolve(undefined);
			if (signal.aborted) return stop();
			signal.addEventListener('abort', stop, { once: true });
			forget = () => signal.removeEventListener('abort', stop);
		});
		const text = await Promise.race([Promise.resolve(answer), stopped]);
		forget();
		if (text === undefined) return { kind: 'failed', failure: { kind: 'unknown', message: 'Stopped.' } };
		return { kind: 'answered', text, usage: noUsage };
	};
	return { ask, questions };
}

export function user(text: string, origin: UserMessage['origin'] = 'prompt'): UserMessage {
	return { role: 'user', id: crypto.randomUUID(), origin, content: [{ type: 'text', text }], time: 0 };
}

export function agent(text: string, calls: readonly { name: string; input: Record<string, string> }[] = []): Message {
	const message: AssistantMessage = {
		role: 'assistant',
		id: crypto.randomUUID(),
		content: [
			{ type: 'text', text },
			...calls.map(({ name, input }) => ({ type: 'tool_use' as const, id: crypto.randomUUID(), name, input })),
		],
		model: 'm',
		stopReason: 'end_turn',
		usage: noUsage,
		complete: true,
		time: 0,
	};
	return message;
}
