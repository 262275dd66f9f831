// Here-documents: where the text begins and ends is worked out anew, as the grammar's scanner and the shell may differ.
import type { SyntaxNode } from '../../ports/shellParser.ts';
import type { BashSource } from './bashSource.ts';

/** What else stands on the line of the redirection: commands, words, other redirections. */
export function readHeredoc(source: BashSource, node: SyntaxNode): readonly SyntaxNode[] {
	const part = (type: string): SyntaxNode | undefined => node.children.find((child) => child.type === type);
	const sign = node.children.find(({ type }) => type === '<<' || type === '<<-');
	const start = part('heredoc_start');
	const body = part('heredoc_body');
	const end = part('heredoc_end');
	if (sign === undefined || start === undefined || body === undefined || end === undefined) {
		source.problem('syntax', node.start, node.end);
		return [];
	}
	const delimiter = source.word(start);
	const quoted = /['"\\]/.test(delimiter.text);
	const text = source.source;
	const line = text.indexOf('\n', start.end);
	// One newline between the line and the text: no other here-document and no command of several lines is in between.
	const bodyStart = line + 1;
	const agreed = { start: Math.min(body.start, body.children[0]?.start ?? body.start) };
	const found = endOf(text, bodyStart, delimiter.value ?? '', { tabs: sign.type === '<<-', joined: !quoted });
	const sameEnd =
		found !== undefined &&
		found.line === lineStart(text, end.start) &&
		text.slice(end.start, end.end) === delimiter.value;
	if (
		line < 0 ||
		!sameEnd ||
		delimiter.value === undefined ||
		!/^[\w.-]+$/.test(delimiter.value) ||
		agreed.start < bodyStart ||
		text.slice(bodyStart, agreed.start).trim() !== '' ||
		text.slice(start.end, line).includes('<<') ||
		/[`(]|\\$/.test(text.slice(start.end, line)) ||
		text.slice(node.start, sign.start).includes('\n')
	) {
		source.problem('syntax', node.start, node.end);
	}
	if (!quoted && found !== undefined) source.skim(bodyStart, found.line, false);
	const own = new Set([sign, start, body, end]);
	return node.children.filter(
		(child) => !own.has(child) && child.named && child.type !== 'comment' && child.type !== 'file_descriptor',
	);
}

function lineStart(text: string, at: number): number {
	return text.lastIndexOf('\n', at - 1) + 1;
}

/** The line that is the delimiter. `joined`: a backslash at the end of a line takes in the next one. */
function endOf(
	text: string,
	start: number,
	delimiter: string,
	{ tabs, joined }: { readonly tabs: boolean; readonly joined: boolean },
): { readonly line: number } | undefined {
	let at = start;
	let open = false;
	while (at < text.length) {
		const newline = text.indexOf('\n', at);
		const line = text.slice(at, newline < 0 ? text.length : newline);
		if (!open && (tabs ? line.replace(/^\t+/, '') : line) === delimiter) return { line: at };
		open = joined && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
		if (newline < 0) return undefined;
		at = newline + 1;
	}
	return undefined;
}
