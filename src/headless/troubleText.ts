// What the headless runner says when a session cannot be stored.
import type { StorageTrouble } from '../node/sessions/fileJournal.ts';

const reasons: Readonly<Record<StorageTrouble, string>> = {
	full: 'the disk is full',
	read_only: 'its folder cannot be written',
	failed: 'the disk fails',
};

export function troubleText(trouble: StorageTrouble, error: Error): string {
	return `The session is not stored: ${reasons[trouble]} (${error.message}). The conversation goes on in memory.`;
}
