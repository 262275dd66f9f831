// Steps between versions of files through the edit engine, as bytes, and what came of them.
import { planReplacement } from '../../src/core/tools/edits.ts';
import { encodeBody, markBytes } from '../../src/node/text/encodings.ts';
import type { Encoding } from '../../src/node/text/encodings.ts';
import { decodeText, spliceBytes } from '../../src/node/text/textBytes.ts';
import { stepsBetween } from './hunks.ts';
import type { Random, Step } from './hunks.ts';

/** Two versions of one file. */
export interface Pair {
	/** Where it comes from, such as a package and its versions. */
	readonly source: string;
	readonly file: string;
	readonly old: Buffer;
	readonly wanted: Buffer;
}

/** One step as bytes in one form of the file. */
export interface Sample {
	readonly name: string;
	readonly encoding: Encoding;
	readonly before: Buffer;
	readonly after: Buffer;
	readonly oldString: string;
	readonly newString: string;
}

export interface Tally {
	/** Hunks by `source`, by line ends and by encoding; as published, and in other forms. */
	readonly published: Map<string, number>;
	readonly others: Map<string, number>;
	hunks: number;
	variants: number;
	lineEndsOnly: number;
	readonly differences: string[];
}

export function newTally(): Tally {
	return { published: new Map(), others: new Map(), hunks: 0, variants: 0, lineEndsOnly: 0, differences: [] };
}

const forms: readonly Encoding[] = [
	'utf8bom', 'utf16le', 'utf16be', 'gbk', 'gb18030', 'cp950', 'shiftjis', 'eucjp', 'euckr', 'windows1252', 'windows1251', 'koi8r',
]; // prettier-ignore

export interface CheckOptions {
	readonly random: Random;
	readonly tally: Tally;
	/** Hunks to go up to. */
	readonly most: number;
	/** Gets every step that was right, with the form that it was checked in. */
	readonly onSample?: (sample: Sample) => void;
}

/** Characters; the tables of legacy encodings are slow. */
const largestVariant = 60_000;

/** Checks each step as it is published, and once more in another encoding and with other line ends. */
export function checkPair(pair: Pair, { random, tally, most, onSample }: CheckOptions): void {
	const old = decodeText(pair.old);
	const wanted = decodeText(pair.wanted);
	if (old.kind !== 'text' || wanted.kind !== 'text' || old.text === wanted.text) return;
	if (old.encoding !== wanted.encoding) return;
	// Each step reads and writes all of the file: of large ones a few will do.
	const perFile = Math.ceil(30_000_000 / (pair.old.length + 75_000));
	const { steps, lineEndsOnly } = stepsBetween(old.text, wanted.text, random, Math.min(perFile, most - tally.hunks));
	tally.lineEndsOnly += lineEndsOnly;
	for (const [index, step] of steps.entries()) {
		const name = `${pair.source} ${pair.file} ${index}`;
		tally.hunks++;
		count(tally.published, pair.source, `line ends ${lineEnds(step.before)}`, `encoding ${old.encoding}`);
		check(name, step, old.encoding, { tally, onSample });
		const form = forms[Math.floor(random() * forms.length)] ?? 'utf8';
		const other = random() < 0.5 ? step : withCrlf(step);
		if (step.before.length > largestVariant || !holds(other, form)) continue;
		tally.variants++;
		count(tally.others, `line ends ${lineEnds(other.before)}`, `encoding ${form}`);
		check(`${name} as ${form}`, other, form, { tally, onSample });
	}
}

function check(
	name: string,
	step: Step,
	encoding: Encoding,
	{ tally, onSample }: { readonly tally: Tally; readonly onSample: CheckOptions['onSample'] },
): void {
	const before = bytesOf(step.before, encoding);
	const after = bytesOf(step.after, encoding);
	const problem = difference({ name, encoding, before, after, oldString: step.oldString, newString: step.newString });
	if (problem === undefined) onSample?.({ ...step, name, encoding, before, after });
	else tally.differences.push(`${name}: ${problem}`);
}

/** `undefined` when the engine makes exactly the wanted bytes. */
function difference({ encoding, before, after, oldString, newString }: Sample): string | undefined {
	const decoded = decodeText(before, encoding);
	if (decoded.kind !== 'text') return `not read as text: ${decoded.reason}`;
	const plan = planReplacement(decoded.text, oldString, newString, false);
	if (plan.kind !== 'plan') return plan.kind;
	const spliced = spliceBytes(before, decoded, plan.edits);
	if (spliced.kind !== 'bytes') return spliced.message;
	if (spliced.bytes.equals(after)) return undefined;
	const at = spliced.bytes.findIndex((byte, index) => byte !== after[index]);
	return `other bytes from ${at} on (${spliced.bytes.length} instead of ${after.length})`;
}

function withCrlf(step: Step): Step {
	// In a file of one line no model knows which line ends are wanted.
	if (!step.before.includes('\n') || step.before.includes('\r')) return step;
	return { ...step, before: step.before.replaceAll('\n', '\r\n'), after: step.after.replaceAll('\n', '\r\n') };
}

function holds(step: Step, encoding: Encoding): boolean {
	return [step.before, step.after].every((text) => encodeBody(text, encoding).kind === 'bytes');
}

function bytesOf(text: string, encoding: Encoding): Buffer {
	const body = encodeBody(text, encoding);
	return Buffer.concat([markBytes(encoding), body.kind === 'bytes' ? body.bytes : Buffer.alloc(0)]);
}

function lineEnds(text: string): string {
	const all = text.split('\n').length - 1;
	const crlf = text.split('\r\n').length - 1;
	return all === 0 ? 'none' : crlf === 0 ? 'LF' : crlf === all ? 'CRLF' : 'mixed';
}

function count(counts: Map<string, number>, ...keys: readonly string[]): void {
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}
