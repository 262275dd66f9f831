// The project's memory as a conversation gets it: at its start, and anew after a compaction.
import { memoryText } from '../memory/memoryStore.ts';
import type { EngineOptions } from './options.ts';

/** Empty when it is off, empty or cannot be read. */
export async function projectMemory({ ports, settings }: EngineOptions): Promise<string> {
	if (!settings().background?.memory || !ports.memory) return '';
	return memoryText(await ports.memory.list().catch(() => []));
}

/** The part of a session's first message that holds the memory; empty without one. */
export async function remembered(options: EngineOptions): Promise<string> {
	const text = await projectMemory(options);
	return text === ''
		? ''
		: `\n<project-memory>\nNotes from earlier sessions in this project; they may be out of date.\n\n${text}\n</project-memory>`;
}
