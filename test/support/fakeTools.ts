// Tools for tests of the executor and the loop: what they do is decided by the test, and what they did is recorded.
import { z } from 'zod';
import type { ToolUseBlock } from '../../src/core/messages/types.ts';
import type { Entry, Journal } from '../../src/core/messages/journal.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import { CollapseArea } from '../../src/core/context/collapseArea.ts';
import { ContextCache } from '../../src/core/context/contextCache.ts';
import type { ContextDeps } from '../../src/core/context/contextTypes.ts';
import type { ModelRequest } from '../../src/core/model/client.ts';
import type { RetryPolicy } from '../../src/core/model/retry.ts';
import { FileState } from '../../src/core/tools/fileState.ts';
import type { ToolDeps } from '../../src/core/tools/permitCall.ts';
import type { Tool, ToolContext, ToolOutput, ToolRun } from '../../src/core/tools/tool.ts';
import { defineTool } from '../../src/core/tools/tool.ts';

export interface FakeToolOptions {
	readonly name?: string;
	readonly safe?: boolean | ((input: { readonly id: string }) => boolean);
	readonly interrupt?: 'cancel' | 'block';
	readonly maxResultChars?: number;
	/** Needs permission, like a command. */
	readonly asks?: boolean;
	/** Asked for before its turn. */
	readonly ahead?: boolean;
	run(input: { readonly id: string }, run: ToolRun, context: ToolContext): Promise<ToolOutput>;
}

export function fakeTool(options: FakeToolOptions): Tool {
	const { safe = false } = options;
	return defineTool({
		name: options.name ?? 'Fake',
		description: 'A tool of the tests.',
		schema: z.object({ id: z.string() }),
		isConcurrencySafe: (input) => (typeof safe === 'function' ? safe(input) : safe),
		interrupt: options.interrupt ?? 'block',
		maxResultChars: options.maxResultChars ?? 1000,
		summary: (input) => input.id,
		permission: ({ id }) =>
			options.asks
				? {
						access: { kind: 'command', command: `do ${id}` },
						detail: { kind: 'command', command: `do ${id}`, cwd: '/w' },
					}
				: { access: { kind: 'none' }, detail: { kind: 'generic', input: '' } },
		...(options.ahead ? { after: (_prepared: undefined, context: ToolContext) => context } : {}),
		run: (input, context, run) => options.run(input, run, context),
	});
}

export function said(text: string): ToolOutput {
	return { content: text, view: { kind: 'none' } };
}

export function toolUse(name: string, id: string, input: Record<string, string> = { id }): ToolUseBlock {
	return { type: 'tool_use', id, name, input };
}

/** A journal that remembers; `fail` makes it reject from then on. */
export class FakeJournal implements Journal {
	readonly entries: Entry[] = [];
	fail: Error | undefined;

	append(entry: Entry): Promise<void> {
		if (this.fail) return Promise.reject(this.fail);
		this.entries.push(entry);
		return Promise.resolve();
	}
}

/** Time stands still; sleeps end when aborted, or by `wake`. */
export class FakeClock implements Clock {
	time = Date.UTC(2026, 0, 2, 3, 4, 5);
	private readonly sleepers = new Set<() => void>();

	now(): number {
		return this.time;
	}

	sleep(_ms: number, signal?: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const done = () => {
				this.sleepers.delete(done);
				signal?.removeEventListener('abort', done);
				resolve();
			};
			if (signal?.aborted) return resolve();
			signal?.addEventListener('abort', done);
			this.sleepers.add(done);
		});
	}

	/** Ends every sleep. */
	wake(): void {
		for (const done of this.sleepers) done();
	}
}

/** Failures are final. */
export const noRetry: RetryPolicy = { maxRetries: 0, random: () => 0, confirmWait: () => Promise.resolve(false) };

export const bareRequest: ModelRequest = {
	model: 'm',
	system: [],
	messages: [],
	tools: [],
	maxTokens: 1,
	thinking: 'off',
};

/** A context pipeline that has nowhere to put results and nobody to ask for summaries. */
export function bareContextDeps(overrides: Partial<ContextDeps> = {}): ContextDeps {
	return {
		storeResult: () => Promise.reject(new Error('no place for results here')),
		summarise: () => Promise.resolve({ kind: 'failed', failure: { kind: 'unknown', message: 'no summaries here' } }),
		reattach: () => Promise.resolve({ files: [], mode: 'default' }),
		uuid: () => crypto.randomUUID(),
		clock: new FakeClock(),
		cache: new ContextCache(),
		staged: new CollapseArea(),
		...overrides,
	};
}

export function toolDeps(overrides: Partial<ToolDeps> = {}): ToolDeps {
	return {
		decide: () => Promise.resolve({ behavior: 'allow' }),
		journal: new FakeJournal(),
		clock: new FakeClock(),
		...overrides,
	};
}

/** A context whose ports nobody may touch. */
export function bareContext(): ToolContext {
	const untouchable = new Proxy({}, { get: (_, name) => assertUnused(String(name)) });
	return {
		workspace: untouchable as ToolContext['workspace'],
		search: untouchable as ToolContext['search'],
		shell: untouchable as ToolContext['shell'],
		tasks: untouchable as ToolContext['tasks'],
		clock: new FakeClock(),
		fileState: new FileState(),
		cwd: '/w',
		todos: [],
		mode: 'default',
	};
}

function assertUnused(name: string): never {
	throw new Error(`The test did not expect a use of "${name}".`);
}
