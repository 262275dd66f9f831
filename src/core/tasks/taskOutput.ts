// The newest output of a command that runs, as one reads it, in bounded memory.
import { limits } from '../limits.ts';
import type { Excerpt } from '../util/text.ts';
import { clip, EscapeFilter, readableOutput } from '../util/text.ts';

export class TaskOutput {
	private readonly filter = new EscapeFilter();
	private kept = '';
	private dropped = 0;

	/** Takes output as it comes; gives it back without escape codes. */
	push(text: string): string {
		const plain = this.filter.push(text);
		this.kept += plain;
		// Cut rarely: a copy for each piece would make a flood slow.
		if (this.kept.length > 2 * limits.taskOutputChars) this.cut();
		return plain;
	}

	/** The newest characters, and how many came before them. */
	newest(): Excerpt {
		this.cut();
		return { text: readableOutput(this.kept).trimEnd(), omitted: this.dropped };
	}

	/** The last line that is not blank, shortened. */
	get lastLine(): string {
		const lines = readableOutput(this.kept.slice(-limits.taskLineLookedAt)).split('\n');
		return clip(lines.findLast((line) => line.trim() !== '')?.trim() ?? '', limits.taskLineChars);
	}

	private cut(): void {
		const excess = this.kept.length - limits.taskOutputChars;
		if (excess <= 0) return;
		// Not in the middle of a line, if it has an end near by, and never in the middle of a character.
		const end = this.kept.indexOf('\n', excess);
		const at = end !== -1 && end - excess < limits.taskLineLookedAt ? end + 1 : afterPair(this.kept, excess);
		this.kept = this.kept.slice(at);
		this.dropped += at;
	}
}

function afterPair(text: string, index: number): number {
	const code = text.charCodeAt(index);
	return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}
