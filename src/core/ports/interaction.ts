// What the agent asks of the person. Adapter in the editor: `PermissionDesk`; headless: always denied.
import type { PermissionAnswer, PermissionRequest } from '../../shared/permission.ts';
import type { ProposedEdit } from './workspace.ts';

export interface Interaction {
	/**
	 * Shows the request and waits. Contract: resolves exactly once; on abort it resolves with `deny` and `stopped: true`.
	 * An answer that comes later is ignored. `proposed`: of an edit, the texts.
	 */
	requestPermission(
		request: PermissionRequest,
		signal: AbortSignal,
		proposed?: ProposedEdit,
	): Promise<PermissionAnswer>;
	/**
	 * The server demands a long wait: true waits, false gives up. Contract: resolves also on abort. Absent: nobody is asked,
	 * and long waits are not waited for.
	 */
	confirmWait?(delayMs: number, signal: AbortSignal): Promise<boolean>;
}
