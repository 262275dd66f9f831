// A controller on the real engine and the mock service, and a panel that is only the reducer of the webview.
import { z } from 'zod';
import type { StoredEntry } from '../../../src/core/messages/journal.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { defineTool } from '../../../src/core/tools/tool.ts';
import { Channel } from '../../../src/host/panel/channel.ts';
import type { SurfaceHandle } from '../../../src/host/panel/channel.ts';
import { KeptTasks } from '../../../src/host/tasks/keptTasks.ts';
import { TaskDesk } from '../../../src/host/tasks/taskDesk.ts';
import { PermissionDesk } from '../../../src/host/session/permissionDesk.ts';
import type { SessionWish } from '../../../src/host/session/controllerDeps.ts';
import { SessionController } from '../../../src/host/session/sessionController.ts';
import type { ToWebview } from '../../../src/shared/protocol.ts';
import type { Row } from '../../../src/shared/view.ts';
import { emptyModel, receive } from '../../../webview-ui/src/reducer.ts';
import type { PanelModel } from '../../../webview-ui/src/reducer.ts';
import { startConversation } from '../../support/conversation.ts';
import { bareState } from '../../support/viewState.ts';

/** A page that keeps what it was sent. */
export class FakePanel {
	readonly messages: ToWebview[] = [];
	model: PanelModel = emptyModel;
	visible = true;
	readonly handle: SurfaceHandle;

	constructor(channel: Channel) {
		const isVisible = () => this.visible;
		this.handle = channel.attach({
			post: (message) => {
				this.messages.push(message);
				const { model, gap } = receive(this.model, message);
				if (gap) throw new Error('a gap in the sequence');
				this.model = model;
			},
			get visible() {
				return isVisible();
			},
		});
	}

	get rows(): readonly Row[] {
		return this.model.order.flatMap((id) => {
			const row = this.model.rows.get(id);
			return row ? [withoutNotes(row)] : [];
		});
	}

	hide(): void {
		this.visible = false;
		this.model = emptyModel;
		this.handle.visibilityChanged();
	}

	show(): void {
		this.visible = true;
		this.handle.visibilityChanged();
		this.handle.ready();
	}
}

/** Work for later, done when the test says so. */
export class FakeLater {
	private tasks: (() => void)[] = [];
	readonly later = (task: () => void): (() => void) => {
		this.tasks.push(task);
		return () => {
			this.tasks = this.tasks.filter((other) => other !== task);
		};
	};
	get waiting(): number {
		return this.tasks.length;
	}
	run(): void {
		const tasks = this.tasks;
		this.tasks = [];
		for (const task of tasks) task();
	}
}

export interface Parts {
	readonly controller: SessionController;
	readonly channel: Channel;
	readonly desk: PermissionDesk;
	readonly tasks: TaskDesk;
	readonly later: FakeLater;
	readonly problems: unknown[];
	/** Transcripts by session id, shared by controllers of the same store. */
	readonly store: Map<string, readonly StoredEntry[]>;
}

export interface ControllerOptions {
	readonly url: string;
	readonly tools?: readonly Tool[];
	readonly store?: Map<string, readonly StoredEntry[]>;
	readonly remembered?: { id: string | undefined };
	/** The session that another window has, if any. */
	readonly elsewhere?: { id: string | undefined };
	readonly workChanged?: () => void;
	readonly wish?: SessionWish;
	/** Sessions are large: shown before they are open, which takes until `opens`. `changed`: somebody wrote to it meanwhile. */
	readonly large?: { readonly opens: Promise<void>; readonly changed?: StoredEntry };
}

export function startController(options: ControllerOptions): Parts {
	const { store = new Map(), remembered = { id: undefined } } = options;
	const desk = new PermissionDesk();
	const later = new FakeLater();
	const problems: unknown[] = [];
	const tasks = new TaskDesk({ later: later.later, kept: new KeptTasks() });
	const controller: SessionController = new SessionController({
		desk,
		tasks,
		wish: options.wish ?? { id: remembered.id, patient: true },
		openSession: async ({ id, mode }, showEarly) => {
			const { large } = options;
			const known = id === undefined ? undefined : store.get(id);
			const sessionId = known && id !== undefined ? id : `session-${store.size + 1}`;
			const early = { entries: known ?? [] };
			if (large) showEarly(sessionId, early);
			await large?.opens;
			const transcript = large?.changed && known ? [...known, large.changed] : known;
			const { conversation, entries } = startConversation({
				url: options.url,
				tools: options.tools ?? [askingTool()],
				interaction: desk,
				overrides: { sessionId, ...(mode === undefined ? {} : { mode }) },
				...(transcript ? { transcript } : {}),
			});
			store.set(sessionId, entries);
			remembered.id = sessionId;
			return {
				conversation,
				shown: transcript === known ? early : { entries: transcript ?? [] },
				damaged: false,
				openElsewhere: id !== undefined && id === options.elsewhere?.id,
				close: () => Promise.resolve(),
				abandon: () => conversation.dispose(),
			};
		},
		modelStatus: () => ({
			provider: 'anthropic',
			model: bareState.model,
			models: bareState.models,
			contextWindow: 200_000,
			setup: 'ready',
			maxCostUsd: null,
		}),
		updatedTo: () => null,
		rights: () => ({ modes: ['default', 'acceptEdits'], trusted: true }),
		composer: () => ({ sendWith: 'enter', selection: null }),
		folder: () => '/w',
		folders: () => [],
		others: () => null,
		now: () => 1000,
		publish: (events) => channel.publish(events),
		viewReplaced: () => channel.reset(),
		workChanged: () => options.workChanged?.(),
		failed: (what, error) => problems.push(what, error),
	});
	const channel = new Channel(() => controller.view, later.later);
	return { controller, channel, desk, tasks, later, problems, store };
}

/** A tool that asks the person, as a command does. */
export function askingTool(): Tool {
	return defineTool({
		name: 'Do',
		description: 'Does.',
		schema: z.object({ id: z.string() }),
		isConcurrencySafe: () => false,
		interrupt: 'block',
		maxResultChars: 1000,
		summary: ({ id }) => id,
		permission: ({ id }) => ({
			access: { kind: 'command', command: `do ${id}` },
			detail: { kind: 'command', command: `do ${id}`, cwd: '/w' },
		}),
		run: ({ id }) => Promise.resolve({ content: `did ${id}`, view: { kind: 'text', text: `did ${id}` } }),
	});
}

/** Waits until `found` is true, looking after each event of the controller and each change of the desk. */
export async function until({ controller, desk }: Parts, found: () => boolean): Promise<void> {
	if (found()) return;
	await new Promise<void>((resolve) => {
		const look = () => {
			if (!found()) return;
			ends.forEach((end) => end());
			resolve();
		};
		const ends = [controller.onEvent(look), desk.onChange(look)];
	});
}

/** As the host has it: what its text grew by last is the page's own note. */
function withoutNotes(row: Row & { readonly grownBy?: string }): Row {
	const { grownBy: _grownBy, ...told } = row;
	return told;
}
