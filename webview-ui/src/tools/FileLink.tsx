// A file's name that opens the file, with its folder dimmed behind it.
import { shownPath, splitPath } from '../format.ts';
import { usePanel } from '../panelContext.ts';

interface Props {
	readonly path: string;
	readonly line?: number | undefined;
}

export function FileLink({ path, line }: Props) {
	const { bridge, store } = usePanel();
	// Read without subscribing: the folder is the same for as long as the conversation is.
	const { base, folder } = splitPath(shownPath(path, store.state.peek()));
	return (
		<button
			type="button"
			class="file-link"
			title={path}
			onClick={() => bridge.send({ type: 'file_opened', path, ...(line === undefined ? {} : { line }) })}
		>
			<span class="file-name">{base}</span>
			{folder !== '' && <span class="file-folder">{folder}</span>}
		</button>
	);
}
