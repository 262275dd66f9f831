// Long code, piece by piece: plain at once, in colours when the page has time for it. A piece that may still grow stays plain.
import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import { codePieces } from './codePieces.ts';
import { highlighted } from './highlight.ts';
import { sanitized } from './sanitize.ts';

interface Props {
	readonly code: string;
	/** Empty: no colours. */
	readonly language: string;
	/** More will come. */
	readonly growing: boolean;
}

export function LongCode({ code, language, growing }: Props) {
	const pieces = codePieces(code);
	return (
		<code>
			{pieces.map((piece, index) => (
				<Piece key={index} code={piece} language={growing && index === pieces.length - 1 ? '' : language} />
			))}
		</code>
	);
}

type PieceProps = Omit<Props, 'growing'>;

class Piece extends Component<PieceProps> {
	override shouldComponentUpdate({ code, language }: PieceProps) {
		return code !== this.props.code || language !== this.props.language;
	}
	override render(props: PieceProps) {
		return <Coloured {...props} />;
	}
}

function Coloured({ code, language }: PieceProps) {
	const { idle } = usePanel();
	const [colours, setColours] = useState<{ readonly of: string; readonly html: string }>();
	useEffect(() => {
		if (language === '') return;
		return idle.add(() => {
			const html = highlighted(code, language);
			if (html !== undefined) setColours({ of: code, html: sanitized(html) });
		});
	}, [idle, code, language]);
	if (colours?.of !== code)
		return (
			<span key="plain" class="code-piece">
				{code}
			</span>
		);
	return <span key="coloured" class="code-piece" dangerouslySetInnerHTML={{ __html: colours.html }} />;
}
