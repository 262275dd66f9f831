// The model of one conversation: a stored one goes on with its own until the person chooses another, all others with what the settings
// say. No `vscode`.
import { demoModel } from '../../core/model/models.ts';
import type { StoredEntry } from '../../core/messages/journal.ts';
import type { ModelService, ServiceStatus } from './modelService.ts';

/** Names for people: the model that the service does not offer any more, and the one that goes on. */
export interface GoneModel {
	readonly from: string;
	readonly to: string;
}

export class SessionModel {
	private readonly service: Pick<ModelService, 'model' | 'facts' | 'status' | 'offers'>;
	private own: string | undefined;
	private chosen = false;

	constructor(service: Pick<ModelService, 'model' | 'facts' | 'status' | 'offers'>) {
		this.service = service;
	}

	/** Of the next request. The demo model is the only one of its service. */
	get id(): string {
		const { model } = this.service;
		return model === demoModel ? model : (this.own ?? model);
	}

	get status(): ServiceStatus {
		return this.service.status(this.id);
	}

	/** Takes the model of a stored conversation; what is gone is told. */
	async resume(entries: readonly StoredEntry[]): Promise<GoneModel | undefined> {
		const stored = entries.findLast((entry) => entry.type === 'model')?.model;
		const { service } = this;
		this.own = undefined;
		if (
			this.chosen ||
			stored === undefined ||
			stored === demoModel ||
			stored === service.model ||
			service.model === demoModel
		) {
			return undefined;
		}
		if (await service.offers(stored)) {
			this.own = stored;
			return undefined;
		}
		return { from: service.facts(stored).name, to: service.facts(service.model).name };
	}

	/** The person has chosen: as the settings say from now on. */
	follow(): void {
		this.chosen = true;
		this.own = undefined;
	}
}
