// The permission modes by name, and what each means in a few words.
import { t } from '@vscode/l10n';
import type { PermissionMode } from '../../../src/shared/permission.ts';
import type { Choice } from './Menu.tsx';

export function modeChoice(mode: PermissionMode): Choice {
	switch (mode) {
		case 'default':
			return { id: mode, name: t('Ask'), description: t('Asks before edits and commands') };
		case 'acceptEdits':
			return { id: mode, name: t('Accept edits'), description: t('Edits apply at once, commands ask') };
		case 'plan':
			return { id: mode, name: t('Plan'), description: t('Reads and plans, changes nothing') };
		case 'dontAsk':
			return { id: mode, name: t("Don't ask"), description: t('What is not allowed is denied') };
		case 'bypassPermissions':
			return { id: mode, name: t('Bypass'), description: t('Runs everything without asking') };
	}
}
