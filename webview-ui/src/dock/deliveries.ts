// How a message reaches an agent that works, in words.
import { t } from '@vscode/l10n';
import { deliveries, type Delivery } from '../../../src/shared/composer.ts';
import { deliveryKey } from './composerKeys.ts';
import type { Choice } from './Menu.tsx';

export function deliveryChoice(delivery: Delivery): Choice {
	const key = deliveryKey(delivery);
	const words = described(delivery);
	return { id: delivery, name: named(delivery), description: key === undefined ? words : `${words} (${key})` };
}

export function deliveryChoices(): readonly Choice[] {
	return deliveries.map(deliveryChoice);
}

function named(delivery: Delivery): string {
	switch (delivery) {
		case 'steer':
			return t('Steer');
		case 'queue':
			return t('Queue');
		case 'now':
			return t('Stop and send');
	}
}

/** Also the hint of the button that sends. */
export function described(delivery: Delivery): string {
	switch (delivery) {
		case 'steer':
			return t('The agent reads it at its next step');
		case 'queue':
			return t('The agent reads it when it is done');
		case 'now':
			return t('What runs is stopped, then the agent reads it');
	}
}
