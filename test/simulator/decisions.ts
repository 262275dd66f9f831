// Where every random choice of a run comes from: a seed, or a recorded list. What was chosen is recorded, so that a failing
// run can be made again and shrunk. Rule: 0 is always the plainest choice, and a list that is used up gives zeros.

export class Decisions {
	/** What was chosen so far. */
	readonly taken: number[] = [];
	private readonly list: readonly number[] | undefined;
	private state: number;

	constructor(source: number | readonly number[]) {
		this.list = typeof source === 'number' ? undefined : source;
		this.state = typeof source === 'number' ? (source * 0x9e3779b9 + 0x7f4a7c15) >>> 0 : 0;
	}

	/** A number from 0 to `count` - 1. */
	below(count: number): number {
		const raw = this.list ? (this.list[this.taken.length] ?? 0) : this.next();
		const value = raw % count;
		this.taken.push(value);
		return value;
	}

	/** True once in `many` times. */
	oneIn(many: number): boolean {
		return this.below(many) === many - 1;
	}

	pick<T>(choices: readonly [T, ...T[]]): T {
		return choices[this.below(choices.length)] ?? choices[0];
	}

	/** By weight; the first choice is the plainest. */
	weighted<T>(choices: readonly [readonly [number, T], ...(readonly [number, T])[]]): T {
		const total = choices.reduce((sum, [weight]) => sum + weight, 0);
		let left = this.below(total);
		for (const [weight, choice] of choices) {
			if (left < weight) return choice;
			left -= weight;
		}
		return choices[0][1];
	}

	/** mulberry32. */
	private next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) >>> 0;
	}
}
