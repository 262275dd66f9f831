// The parts of a list, remembered from drawing to drawing.
import { useRef } from 'preact/hooks';
import { parts } from './parts.ts';
import type { Cutting, Part } from './parts.ts';

export function useParts<T>(items: readonly T[], by: Cutting<T>): readonly Part<T>[] {
	const known = useRef<readonly Part<T>[]>([]);
	known.current = parts(items, by, known.current);
	return known.current;
}
