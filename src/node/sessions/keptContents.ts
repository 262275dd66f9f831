// Which contents of the checkpoint store the sessions of some folders name in their lists. Whatever looks like a name counts: a line
// that cannot be read may still be one that another reader needs.
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

export const checkpointList = 'checkpoints.jsonl';

/** Hashes, from all lists at any depth of the folders. Never rejects: a list that cannot be read names nothing. */
export async function keptContents(folders: readonly string[]): Promise<ReadonlySet<string>> {
	const hashes = new Set<string>();
	for (const folder of folders) {
		const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
		for (const entry of entries) {
			if (entry.isFile() && entry.name === checkpointList)
				await addHashes(path.join(entry.parentPath, entry.name), hashes);
		}
	}
	return hashes;
}

async function addHashes(file: string, hashes: Set<string>): Promise<void> {
	let rest = '';
	try {
		for await (const chunk of createReadStream(file, 'utf8') as AsyncIterable<string>) {
			const text = rest + chunk;
			for (const [, hash = ''] of text.matchAll(/"([0-9a-f]{64})"/g)) hashes.add(hash);
			rest = text.slice(-65);
		}
	} catch {
		// What could be read counts.
	}
}
