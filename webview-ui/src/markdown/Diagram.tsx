// A Mermaid block: the drawing once the block is complete, its source one click away. Drawn anew when the theme changes.
import { t } from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { Picture } from '../extras/diagrams.ts';
import { Icon } from '../Icon.tsx';
import { usePanel } from '../panelContext.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { CopyButton } from './CopyButton.tsx';

interface Props {
	readonly code: string;
	readonly growing: boolean;
}

/** How small a diagram may be drawn; a larger one scrolls. */
const readable = 0.65;

export function Diagram({ code, growing }: Props) {
	const picture = usePicture(code, growing);
	const [source, setSource] = useState(false);
	if (picture === undefined || picture === 'unreadable') {
		return (
			<>
				<CodeBlock code={code} language="mermaid" growing={growing} />
				{picture === 'unreadable' && <p class="small diagram-note">{t('This diagram could not be drawn.')}</p>}
			</>
		);
	}
	return (
		<div class="code diagram">
			<div class="code-head">
				<span>mermaid</span>
				<span class="spring" />
				<button type="button" class="quiet" aria-pressed={source} onClick={() => setSource(!source)}>
					<Icon name="code" />
					{t('Source')}
				</button>
				<CopyButton text={code} />
			</div>
			{source ? (
				<pre tabIndex={0} aria-label={t('Code: {0}', 'mermaid')}>
					<code>{code}</code>
				</pre>
			) : (
				<div class="diagram-picture" tabIndex={0} role="group" aria-label={t('Diagram')}>
					<img
						src={picture.source}
						width={picture.width}
						height={picture.height}
						alt={code.slice(0, 1000)}
						style={{ minWidth: `${Math.round(picture.width * readable)}px` }}
					/>
				</div>
			)}
		</div>
	);
}

/** Undefined while there is none yet. */
function usePicture(code: string, growing: boolean): Picture | 'unreadable' | undefined {
	const { extras } = usePanel();
	const theme = useTheme();
	const key = `${theme}\n${code}`;
	const [picture, setPicture] = useState<Picture | 'unreadable' | undefined>(extras.pictures.get(key));
	useEffect(() => {
		const known = extras.pictures.get(key);
		if (known) setPicture(known);
		if (growing || known) return;
		let current = true;
		extras.diagrams
			.load()
			.then((draw) => draw(code))
			.then(
				(drawn) => {
					remember(extras.pictures, key, drawn);
					if (current) setPicture(drawn);
				},
				() => current && setPicture('unreadable'),
			);
		return () => {
			current = false;
		};
	}, [code, growing, theme]);
	return picture;
}

/** Pictures that are kept. */
const mostPictures = 50;

function remember(pictures: Map<string, Picture>, key: string, picture: Picture): void {
	pictures.set(key, picture);
	const [oldest] = pictures.keys();
	if (pictures.size > mostPictures && oldest !== undefined) pictures.delete(oldest);
}

/** VS Code changes the class of the body with its theme. */
function useTheme(): string {
	const [theme, setTheme] = useState(document.body.className);
	useEffect(() => {
		const observer = new MutationObserver(() => setTheme(document.body.className));
		observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
		return () => observer.disconnect();
	}, []);
	return theme;
}
