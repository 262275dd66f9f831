// Answers of the mock service for a conversation with subagents: each has steps of its own, told by the words that its first
// message holds. And their transcripts, kept in memory.
import assert from 'node:assert/strict';
import type { AgentJournal, Entry, StoredEntry } from '../../src/core/messages/journal.ts';
import type { MockRequest, MockServer, Step } from './mockServer.ts';
import { answer, messagesOf, toolResults, toolUse } from './mockServer.ts';

/** A call of the tool for subagents, with the id `call-…`; its prompt is the word that its steps go by. */
export const task = (prompt: string, more: Record<string, unknown> = {}) =>
	toolUse('Agent', { description: `about ${prompt}`, prompt, ...more }, `call-${prompt}`);

/** After its last step each says that it is done. */
export function scriptAgents(server: MockServer, steps: Readonly<Record<string, readonly Step[]>>): void {
	const at = new Map<string, number>();
	server.setScript((request) => {
		const name = whose(request, Object.keys(steps));
		const next = at.get(name) ?? 0;
		at.set(name, next + 1);
		return steps[name]?.[next] ?? answer(`${name} is done`);
	});
}

function whose(request: MockRequest, names: readonly string[]): string {
	const first =
		messagesOf(request)[0]
			?.content.map((block) => JSON.stringify(block))
			.join('\n') ?? '';
	return names.find((name) => first.includes(name)) ?? assert.fail(`whose is ${first}`);
}

export function requestsOf(server: MockServer, name: string, names = ['main', 'one', 'two']): readonly MockRequest[] {
	return server.requests.filter((request) => whose(request, names) === name);
}

export function resultOf(request: MockRequest | undefined, id: string) {
	return (
		toolResults(request ?? assert.fail('no request')).find((result) => result.id === id) ?? assert.fail('no result')
	);
}

/** Ids of a subagent's calls are the loop's own. */
export function lastResultOf(request: MockRequest | undefined) {
	return toolResults(request ?? assert.fail('no request')).at(-1) ?? assert.fail('no result');
}

export class KeptJournal implements AgentJournal {
	readonly entries: StoredEntry[] = [];
	closed = false;

	append(entry: Entry): Promise<void> {
		assert.ok(!this.closed, 'nothing is written after the end');
		this.entries.push({ ...entry, time: 0 });
		return Promise.resolve();
	}

	close(): void {
		this.closed = true;
	}
}
