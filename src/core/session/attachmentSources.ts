// What the engine itself attaches to turns, before the sources that it was given.
import type { AttachmentSource } from '../loop/params.ts';
import type { FileState } from '../tools/fileState.ts';
import { changedFilesSource } from './changedFiles.ts';
import { MemoryPrefetch } from './memoryPrefetch.ts';
import type { EngineOptions, SessionEvent } from './options.ts';

/** For one conversation; `onEvent`: its events. */
export function attachmentSources(
	options: EngineOptions,
	fileState: FileState,
	onEvent: (listener: (event: SessionEvent) => void) => unknown,
): readonly AttachmentSource[] {
	const { workspace, clock, attachmentSources: given = [] } = options.ports;
	const memory = new MemoryPrefetch(options);
	onEvent((event) => memory.note(event));
	return [changedFilesSource(fileState, workspace, clock), memory.source, ...given];
}
