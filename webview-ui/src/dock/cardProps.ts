// What every card of a request is told.
import type { PermissionRequest } from '../../../src/shared/permission.ts';

export interface CardProps {
	readonly request: PermissionRequest;
	/** 1-based, among those that wait. */
	readonly position: number;
	/** How many requests wait, this one included. */
	readonly count: number;
	/** It stands where another one was a moment ago. */
	readonly replaces: boolean;
}
