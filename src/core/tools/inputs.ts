// Schemas that several tools use. Models sometimes send numbers and booleans as strings; those are read as meant.
import * as z from 'zod';

/** A whole number, at least `min`. */
export function wholeNumber(min: number): z.ZodType<number> {
	return z.preprocess(
		(value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
		z.int().min(min),
	);
}

export function flag(): z.ZodType<boolean> {
	return z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean());
}
