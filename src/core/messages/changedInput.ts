// What the person changed in a call's input before it ran, told to the model: its own call stays as it wrote it.
import type { JsonObject } from './types.ts';

/** One line for each field that differs; undefined when none does. `fields`: only these are looked at. */
export function changedInputText(
	written: JsonObject,
	ran: JsonObject,
	fields: readonly string[] = Object.keys(ran),
): string | undefined {
	const lines = fields
		.filter((field) => field in ran && !same(written[field], ran[field]))
		.map((field) => `${field}: ${shown(ran[field])}`);
	return lines.length === 0 ? undefined : `The user changed this call before it ran. It ran with:\n${lines.join('\n')}`;
}

function same(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

function shown(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
