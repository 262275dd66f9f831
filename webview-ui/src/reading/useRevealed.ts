// Whether a row is the one that the person was taken to: then it unfolds. Draws only the rows concerned.
import { useComputed } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import type { Goal } from './reading.ts';

/** The wish that is about the row around, where what stands in it is meant, too. */
export const RevealedWith = createContext<Goal | undefined>(undefined);

/** The wish that is about this row; undefined when there is none. A prompt to jump to unfolds nothing. */
export function useRevealed(...ids: readonly string[]): Goal | undefined {
	const { reading } = usePanel();
	const around = useContext(RevealedWith);
	const own = useComputed(() => {
		const goal = reading.goal.value;
		return goal && ids.includes(goal.rowId) ? goal : undefined;
	}).value;
	return own ?? around;
}
