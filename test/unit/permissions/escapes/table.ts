// The shape of the escape attempts. In texts `{W}` is the workspace, `{OUT}` a folder outside of it, `{HOME}` the home folder.
import type { PermissionMode } from '../../../../src/shared/permission.ts';
import type { Texts } from '../../../support/permissions.ts';

export interface Attempt {
	/** A command line, or a tool and a path. */
	readonly call: string | readonly [tool: string, path: string];
	/** `ask`, `deny` or `allow`, or the verdict with its reason, such as `ask secret`. */
	readonly verdict: string;
	readonly mode?: PermissionMode;
	readonly rules?: Texts;
}

export interface AttemptGroup {
	readonly name: string;
	readonly mode?: PermissionMode;
	readonly rules?: Texts;
	readonly attempts: readonly Attempt[];
}

/** The same expectation for many calls. */
export function all(verdict: string, calls: readonly Attempt['call'][]): readonly Attempt[] {
	return calls.map((call) => ({ call, verdict }));
}
