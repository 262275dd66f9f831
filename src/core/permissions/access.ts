// What a tool call asks permission for. Tools say it, the engine judges it, the card shows it.
import type { RequestDetail } from '../../shared/permission.ts';
import type { ProposedEdit } from '../ports/workspace.ts';

/** What a call wants to touch; the permission engine judges it. Paths are absolute. */
export type Access =
	| { readonly kind: 'none' }
	| { readonly kind: 'read'; readonly path: string }
	/** `realPath`: where it led when it was prepared; what is written there must still be there. `runsCode`: what is written will be run by other programs, such as the scripts of `package.json`. */
	| { readonly kind: 'write'; readonly path: string; readonly realPath?: string; readonly runsCode?: boolean }
	| { readonly kind: 'command'; readonly command: string }
	/** It reaches beyond this conversation, but neither files nor a shell: the net, a server. `readOnly`: changes nothing there. */
	| { readonly kind: 'use'; readonly readOnly: boolean }
	/**
	 * Only a person can answer it, in every mode and whatever rules allow: questions, plans. For the model: `unanswered` when
	 * nobody can be asked, `declined` when the person did not agree; the person's reason follows.
	 */
	| { readonly kind: 'person'; readonly unanswered: string; readonly declined: string };

export interface PermissionNeed {
	readonly access: Access;
	/** What the card shows when it asks. */
	readonly detail: RequestDetail;
	/** Of an edit: the whole of what is proposed. */
	readonly proposed?: ProposedEdit;
}
