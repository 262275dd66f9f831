// A call of a tool that the panel knows nothing of, such as one of an MCP server: all that it was given, and its result, in colours
// where that is JSON.
import { highlighted } from '../markdown/highlight.ts';
import { sanitized } from '../markdown/sanitize.ts';

interface Props {
	readonly summary: string;
	readonly text: string;
}

export function ForeignBody({ summary, text }: Props) {
	const colours = /^\s*[[{]/.test(text) ? highlighted(text, 'json') : undefined;
	return (
		<>
			{summary !== '' && <p class="tool-summary">{summary}</p>}
			<pre class="output" tabIndex={0}>
				{colours === undefined ? text : <code dangerouslySetInnerHTML={{ __html: sanitized(colours) }} />}
			</pre>
		</>
	);
}
