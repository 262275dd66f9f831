// Which folder of the workspace the conversation belongs to, where there are several: a menu while nothing was said, then a word.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../../src/shared/view.ts';
import { usePanel } from '../panelContext.ts';
import { Icon } from '../Icon.tsx';
import { Menu } from './Menu.tsx';

export function FolderChip({ state: { folder, folders } }: { readonly state: Pick<ViewState, 'folder' | 'folders'> }) {
	const { bridge, store } = usePanel();
	const current = folders.find(({ path }) => path === folder);
	if (folders.length < 2 || !current) return null;
	const empty = store.exchanges.value.length === 0 && store.earlier.value === 0;
	if (!empty) {
		return (
			<span class="folder-name" title={t('Folder of this conversation: {0}', folder)}>
				<Icon name="folder" /> {current.name}
			</span>
		);
	}
	return (
		<Menu
			label={t('Folder')}
			current={{ id: current.path, name: current.name }}
			choices={folders.map(({ path, name }) => ({ id: path, name, description: path }))}
			onChoose={(id) => bridge.send({ type: 'folder_selected', folder: id })}
		/>
	);
}
