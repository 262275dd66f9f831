// Whether a file is the same at two moments.
import type { FileImage } from '../ports/checkpoints.ts';

/** What is not kept is never known to be the same. */
export function sameImage(one: FileImage, other: FileImage): boolean {
	if (one.kind === 'missing') return other.kind === 'missing';
	return one.kind === 'file' && other.kind === 'file' && one.hash === other.hash;
}
