// A top-level code block: language, copy button, colours. While it grows beyond a few kilobytes it stays plain and only its
// last piece is redrawn; colours come when it is complete.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { CopyButton } from './CopyButton.tsx';
import { highlighted } from './highlight.ts';
import { sanitized } from './sanitize.ts';

interface Props {
	readonly code: string;
	readonly language: string;
	readonly growing: boolean;
}

/** Characters up to which a growing block is coloured anew with each piece. */
const liveColours = 6000;
const linesPerPiece = 100;

export class CodeBlock extends Component<Props> {
	override shouldComponentUpdate(next: Props) {
		const now = this.props;
		return next.code !== now.code || next.language !== now.language || next.growing !== now.growing;
	}

	override render({ code, language, growing }: Props) {
		const colours = growing && code.length > liveColours ? undefined : highlighted(code, language);
		return (
			<div class="code">
				<div class="code-head">
					<span>{language}</span>
					<CopyButton text={code} />
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
