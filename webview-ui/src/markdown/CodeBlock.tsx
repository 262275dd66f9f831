// A top-level code block: language, file, buttons, colours. While it grows beyond a few kilobytes it stays plain and only its
// last piece is redrawn; colours come when it is complete.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { FileLink } from '../tools/FileLink.tsx';
import { CodeActions } from './CodeActions.tsx';
import { highlighted } from './highlight.ts';
import { sanitized } from './sanitize.ts';

interface Props {
	readonly code: string;
	readonly language: string;
	readonly path?: string | undefined;
	readonly growing: boolean;
}

/** Characters up to which a growing block is coloured anew with each piece. */
const liveColours = 6000;
const linesPerPiece = 100;

export class CodeBlock extends Component<Props> {
	override shouldComponentUpdate(next: Props) {
		const now = this.props;
		return (
			next.code !== now.code || next.language !== now.language || next.path !== now.path || next.growing !== now.growing
		);
	}

	override render({ code, language, path, growing }: Props) {
		const colours = growing && code.length > liveColours ? undefined : highlighted(code, language);
		return (
			<div class="code" dir="ltr">
				<div class="code-head">
					{path === undefined ? <span>{language}</span> : <FileLink path={path} />}
					<span class="spring" />
					<CodeActions code={code} language={language} path={path} />
				</div>
				<pre tabIndex={0} aria-label={language ? t('Code: {0}', language) : t('Code')}>
					{colours === undefined ? (
						<code>{pieces(code)}</code>
					) : (
						<code dangerouslySetInnerHTML={{ __html: sanitized(colours) }} />
					)}
				</pre>
			</div>
		);
	}
}

function pieces(code: string) {
	const lines = code.split('\n');
	const found: string[] = [];
	for (let at = 0; at < lines.length; at += linesPerPiece) {
		const last = at + linesPerPiece >= lines.length;
		found.push(lines.slice(at, at + linesPerPiece).join('\n') + (last ? '' : '\n'));
	}
	return found.map((piece, index) => <span key={index}>{piece}</span>);
}
