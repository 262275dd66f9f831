// What the person does about the state of the panel as a whole: look into the context, take note of an update, try the demo.
import type { SessionController } from '../session/sessionController.ts';
import type { SurfaceHandle } from './channel.ts';
import type { PanelRequest } from './panelPages.ts';
import type { UpdateNotice } from './updateNotice.ts';

export interface StateDeps {
	readonly controller: Pick<SessionController, 'open'>;
	useDemo(): Promise<void>;
	readonly update: Pick<UpdateNotice, 'seen'>;
}

type StateRequest = Extract<PanelRequest, { type: 'context_requested' | 'update_seen' | 'demo_chosen' }>;

export function isStateRequest(message: PanelRequest): message is StateRequest {
	return message.type === 'context_requested' || message.type === 'update_seen' || message.type === 'demo_chosen';
}

export async function handleStateRequest(
	message: StateRequest,
	deps: StateDeps,
	surface: Pick<SurfaceHandle, 'post'>,
): Promise<void> {
	if (message.type === 'update_seen') return deps.update.seen(message.show);
	if (message.type === 'demo_chosen') return deps.useDemo();
	const conversation = await deps.controller.open().catch(() => undefined);
	surface.post({ type: 'context_shown', use: conversation?.contextUse() ?? null });
}
