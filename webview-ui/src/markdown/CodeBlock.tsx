// A top-level code block: language, file, buttons, colours. Beyond a few kilobytes it is drawn in pieces, whose colours come when there
// is time for them.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import { FileLink } from '../tools/FileLink.tsx';
import { CodeActions } from './CodeActions.tsx';
import { hasColours, highlighted } from './highlight.ts';
import { LongCode } from './LongCode.tsx';
import { sanitized } from './sanitize.ts';

interface Props {
	readonly code: string;
	readonly language: string;
	readonly path?: string | undefined;
	readonly growing: boolean;
}

/** Characters up to which a block is coloured at once, and anew with each piece while it grows. */
const atOnce = 2500;

export class CodeBlock extends Component<Props> {
	override shouldComponentUpdate(next: Props) {
		const now = this.props;
		return (
			next.code !== now.code || next.language !== now.language || next.path !== now.path || next.growing !== now.growing
		);
	}

	override render({ code, language, path, growing }: Props) {
		const isLong = code.length > atOnce;
		const colours = isLong ? undefined : highlighted(code, language);
		return (
			<div class="code" dir="ltr">
				<div class="code-head">
					{path === undefined ? <span>{language}</span> : <FileLink path={path} />}
					<span class="spring" />
					<CodeActions code={code} language={language} path={path} />
				</div>
				<pre tabIndex={0} aria-label={language ? t('Code: {0}', language) : t('Code')}>
					{isLong ? (
						<LongCode code={code} language={hasColours(code, language) ? language : ''} growing={growing} />
					) : colours === undefined ? (
						<code>{code}</code>
					) : (
						<code dangerouslySetInnerHTML={{ __html: sanitized(colours) }} />
					)}
				</pre>
			</div>
		);
	}
}
