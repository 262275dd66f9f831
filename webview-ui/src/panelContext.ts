// What every part of the panel may use: the store to read from and the bridge to speak through.
import { createContext } from 'preact';
import type { ComponentType } from 'preact';
import { useContext } from 'preact/hooks';
import type { Row } from '../../src/shared/view.ts';
import type { Extras } from './extras/extras.ts';
import type { Idle } from './idle.ts';
import type { Nearness } from './near/nearness.ts';
import type { Reading } from './reading/reading.ts';
import type { PanelStore } from './store.ts';
import type { Bridge } from './vscodeApi.ts';

export interface Panel {
	readonly store: PanelStore;
	readonly bridge: Bridge;
	readonly extras: Extras;
	readonly reading: Reading;
	readonly nearness: Nearness;
	readonly idle: Idle;
	/** Draws what a row shows: for rows inside of a card, such as a subagent's. */
	readonly RowContent: ComponentType<{ readonly row: Row }>;
}

export const PanelContext = createContext<Panel | undefined>(undefined);

export function usePanel(): Panel {
	const panel = useContext(PanelContext);
	if (!panel) throw new Error('used outside of the panel');
	return panel;
}
