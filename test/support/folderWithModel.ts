// For suites of real conversations in a real folder: a mock of the model's service, a folder for each test, and after each of them
// that no request broke a rule of the service.
import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMockServer, type MockServer } from './mockServer.ts';

export interface FolderWithModel {
	readonly mock: MockServer;
	/** Absolute, links resolved; empty at the beginning of each test. */
	readonly folder: string;
}

/** Contract: called in a suite; what it gives is there from its tests' `setup` on. */
export function folderWithModel(): FolderWithModel {
	let mock: MockServer | undefined;
	let folder = '';
	suiteSetup(async () => {
		mock = await startMockServer();
	});
	suiteTeardown(() => mock?.close());
	setup(async () => {
		mock?.reset();
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'loopwright-folder-')));
	});
	teardown(async () => {
		assert.deepEqual(mock?.violations, []);
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	return {
		get mock() {
			return mock ?? assert.fail('used before the suite began');
		},
		get folder() {
			return folder;
		},
	};
}
