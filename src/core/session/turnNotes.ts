// What the engine tells the model beside results and prompts: the mode, files that others have changed, and what its sources find.
import type { AttachmentSource } from '../loop/params.ts';
import type { Message } from '../messages/types.ts';
import type { FileState } from '../tools/fileState.ts';
import { ChangedFiles } from './changedFiles.ts';
import { MemoryPrefetch } from './memoryPrefetch.ts';
import type { EngineOptions, SessionEvent } from './options.ts';

export interface TurnNotesParts {
	readonly fileState: FileState;
	/** What holds of the mode and was not told yet. `sent`: what the model has before it, at the beginning of an exchange. */
	readonly ofMode: (sent?: readonly Message[]) => string | undefined;
	/** Subscribes to the conversation's events. */
	readonly onEvent: (listener: (event: SessionEvent) => void) => unknown;
}

/** One for each conversation. */
export class TurnNotes {
	/** The engine's own, before those that it was given. */
	readonly sources: readonly AttachmentSource[];
	private readonly changedFiles: ChangedFiles;
	private readonly ofMode: TurnNotesParts['ofMode'];

	constructor({ ports, ...options }: EngineOptions, { fileState, ofMode, onEvent }: TurnNotesParts) {
		const memory = new MemoryPrefetch({ ports, ...options });
		onEvent((event) => memory.note(event));
		this.sources = [memory.source, ...(ports.attachmentSources ?? [])];
		this.changedFiles = new ChangedFiles(fileState, ports.workspace, ports.clock);
		this.ofMode = ofMode;
	}

	/** For the first request of an exchange: nothing that has changed meanwhile is left for the second one. */
	async beforePrompt(messages: readonly Message[], sent: readonly Message[], signal: AbortSignal) {
		const mode = this.ofMode(sent);
		return [...(mode === undefined ? [] : [mode]), ...(await this.changedFiles.look(messages, signal, true))];
	}

	/** For the next request of the exchange. */
	async afterTurn(messages: readonly Message[], signal: AbortSignal): Promise<readonly string[]> {
		const mode = this.ofMode();
		return [...(mode === undefined ? [] : [mode]), ...(await this.changedFiles.look(messages, signal))];
	}
}
