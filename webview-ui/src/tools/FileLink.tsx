// A file's name that opens the file, with its folder dimmed behind it.
import { splitPath } from '../format.ts';
import { usePanel } from '../panelContext.ts';

interface Props {
	readonly path: string;
	readonly line?: number | undefined;
}

export function FileLink({ path, line }: Props) {
	const { bridge } = usePanel();
	const { base, folder } = splitPath(path);
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
