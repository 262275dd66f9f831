// Conversations in which edits are proposed, over one file, and whoever answers the requests.
import assert from 'node:assert/strict';
import type { ProposedEdit } from '../../../src/core/ports/workspace.ts';
import type { PermissionAnswer, PermissionRequest } from '../../../src/shared/permission.ts';
import { finish, startConversation } from '../../support/conversation.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import type { MockServer, Step } from '../../support/mockServer.ts';
import { startMockServer, toolResults, toolUse, turn } from '../../support/mockServer.ts';

export const text = `one\n${'same\n'.repeat(20)}two\n`;
export const wanted = `ONE\n${'same\n'.repeat(20)}TWO\n`;

export interface Asked {
	readonly request: PermissionRequest;
	readonly proposed: ProposedEdit | undefined;
}

export const read = turn(toolUse('Read', { file_path: 'a.txt' }));
export const write = (content = wanted) => toolUse('Write', { file_path: 'a.txt', content });
export const change = (from: string, to: string) =>
	toolUse('Edit', { file_path: 'a.txt', old_string: from, new_string: to });

/** What one test has: the file `a.txt` with `text`, and a mock service of its own. */
export class Proposing {
	readonly workspace = new FakeWorkspace({ 'a.txt': text });
	readonly server: MockServer;

	constructor(server: MockServer) {
		this.server = server;
	}

	/** The result at a place of a request, as JSON. */
	result(index: number, at = 0): string {
		return JSON.stringify(toolResults(this.server.requests[index] ?? assert.fail())[at]);
	}

	/** `reply` is asked for each request, in order. */
	async run(
		steps: Step[],
		reply: (asked: Asked, index: number, signal: AbortSignal) => PermissionAnswer | Promise<PermissionAnswer>,
	): Promise<readonly Asked[]> {
		const asked: Asked[] = [];
		const { conversation } = startConversation({
			url: this.server.url,
			interaction: {
				requestPermission: async (request, signal, proposed) => {
					asked.push({ request, proposed });
					return reply({ request, proposed }, asked.length - 1, signal);
				},
			},
			ports: { workspace: this.workspace },
		});
		this.server.setScript(steps);
		await finish(conversation.submitMessage('go'));
		assert.deepEqual(this.server.violations, []);
		return asked;
	}
}

/** For a suite: a new one for each test. */
export function useProposing(): () => Proposing {
	let proposing: Proposing | undefined;
	setup(async () => {
		proposing = new Proposing(await startMockServer());
	});
	teardown(async () => {
		await proposing?.server.close();
		proposing = undefined;
	});
	return () => proposing ?? assert.fail('only inside of tests');
}
