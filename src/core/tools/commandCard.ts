// The card of a command while it runs: output as it comes, up to what the card keeps; of a flood the newest, now and then.
import type { ToolView } from '../../shared/view.ts';
import { limits } from '../limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { ShellResult } from '../ports/shell.ts';
import type { ToolRun } from './tool.ts';

type CommandView = Extract<ToolView, { kind: 'command' }>;

export class CommandCard {
	private readonly command: string;
	private readonly run: Pick<ToolRun, 'progress'>;
	private readonly clock: Clock;
	private shown = '';
	private omitted = 0;
	private waiting = false;
	private flooded = false;
	private due: AbortController | undefined;
	private closed = false;

	constructor(command: string, run: Pick<ToolRun, 'progress'>, clock: Clock) {
		this.command = command;
		this.run = run;
		this.clock = clock;
		this.draw();
	}

	/** Text without escape codes. */
	output(text: string): void {
		if (this.closed || text === '') return;
		this.shown += text;
		if (!this.flooded && this.shown.length <= limits.bashViewChars) {
			this.run.progress({ kind: 'output', text });
			return;
		}
		this.flooded = true;
		const excess = this.shown.length - limits.bashFloodChars;
		if (excess > 0) {
			this.shown = this.shown.slice(excess);
			this.omitted += excess;
		}
		this.drawSoon();
	}

	wait(waiting: boolean): void {
		if (this.closed) return;
		this.waiting = waiting;
		this.draw();
	}

	/** Nothing more is shown. */
	close(): void {
		this.closed = true;
		this.due?.abort('closed');
	}

	private drawSoon(): void {
		if (this.due) return;
		const due = new AbortController();
		this.due = due;
		void this.clock.sleep(limits.bashFloodEveryMs, due.signal).then(() => {
			this.due = undefined;
			if (!this.closed) this.draw();
		});
	}

	private draw(): void {
		const view = commandView(this.command, { outcome: 'running', durationMs: 0 }, this.shown, this.omitted);
		this.run.progress({ kind: 'view', view: this.waiting ? { ...view, waiting: true } : view });
	}
}

export function commandView(
	command: string,
	{ outcome, exitCode, durationMs }: Pick<CommandView, 'outcome' | 'durationMs'> & Pick<ShellResult, 'exitCode'>,
	output: string,
	omitted: number,
): CommandView {
	const view = { kind: 'command' as const, command, output, omitted, outcome, durationMs };
	return exitCode === undefined ? view : { ...view, exitCode };
}
