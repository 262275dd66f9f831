// Draws markdown as blocks; a block that did not change is not touched. Clicks on links and copy buttons go to the host.
import { Component } from 'preact';
import { useRef } from 'preact/hooks';
import type { ToHost } from '../../../src/shared/protocol.ts';
import { usePanel } from '../panelContext.ts';
import type { DrawFormulas } from '../extras/formulas.ts';
import type { Lazy } from '../extras/extras.ts';
import { Stretch } from '../near/Stretch.tsx';
import { textHeight } from '../near/supposedHeight.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { Diagram } from './Diagram.tsx';
import { formulaClass } from './mathSyntax.ts';
import { onNestedCode } from './nestedCode.ts';
import type { Block } from './render.ts';
import { sanitized } from './sanitize.ts';
import { MarkdownTail } from './tail.ts';

interface Props {
	/** Of the row in the conversation, where a long text is drawn in parts; none elsewhere. */
	readonly id?: string;
	readonly text: string;
	/** More will come. */
	readonly open: boolean;
	/** What the text grew by last, where that is known. */
	readonly grownBy?: string | undefined;
}

export function Markdown({ id, text, open, grownBy }: Props) {
	const { bridge, extras } = usePanel();
	const tail = useRef<MarkdownTail | undefined>(undefined);
	tail.current ??= new MarkdownTail();
	const blocks = tail.current.update(text, open, grownBy);
	const all = pieces(blocks);
	return (
		<div
			class="markdown"
			onClick={(event) => onClick(event, bridge.send)}
			onAuxClick={(event) => onClick(event, bridge.send)}
		>
			{all.map((piece, index) => (
				<Piece
					key={index}
					place={id === undefined ? undefined : { row: id, index }}
					always={all.length === 1 || (open && index >= all.length - 2)}
					blocks={piece}
					growing={open && index === all.length - 1}
					formulas={extras.formulas}
				/>
			))}
		</div>
	);
}

/** Blocks that are looked at together: most of a long answer is passed over without a look at each. */
const perPiece = 20;

function pieces(blocks: readonly Block[]): readonly (readonly Block[])[] {
	const count = Math.ceil(blocks.length / perPiece);
	return Array.from({ length: count }, (_, at) => blocks.slice(at * perPiece, (at + 1) * perPiece));
}

interface PieceProps {
	readonly place: { readonly row: string; readonly index: number } | undefined;
	readonly always: boolean;
	readonly blocks: readonly Block[];
	/** The last block may still grow. */
	readonly growing: boolean;
	readonly formulas: Lazy<DrawFormulas>;
}

class Piece extends Component<PieceProps> {
	override shouldComponentUpdate({ blocks, growing, always }: PieceProps) {
		const { props } = this;
		return (
			always !== props.always ||
			growing !== props.growing ||
			blocks.length !== props.blocks.length ||
			blocks.some((block, index) => block !== props.blocks[index])
		);
	}
	override render({ place, always, blocks, growing, formulas }: PieceProps) {
		const draw = () =>
			blocks.map((block, index) => (
				<OneBlock
					key={`${index}${kindOf(block)}`}
					block={block}
					growing={growing && index === blocks.length - 1}
					formulas={formulas}
				/>
			));
		if (!place) return draw();
		const supposed = () => blocks.reduce((sum, block) => sum + 8 + textHeight(sourceOf(block)), 0);
		const id = `${place.row} ${place.index}`;
		return <Stretch id={id} rows={[place.row]} always={always} supposed={supposed} draw={draw} />;
	}
}

interface BlockProps {
	readonly block: Block;
	readonly growing: boolean;
	readonly formulas: Lazy<DrawFormulas>;
}

function OneBlock({ block, growing, formulas }: BlockProps) {
	if (block.kind === 'html') return <HtmlBlock html={block.html} formulas={formulas} />;
	if (block.language === 'mermaid') return <Diagram code={block.code} growing={growing} />;
	return <CodeBlock code={block.code} language={block.language} path={block.path} growing={growing} />;
}

function sourceOf(block: Block): string {
	return block.kind === 'html' ? block.html.replace(/<[^>]*>/g, '') : block.code;
}

/** A block of another kind is another element. */
function kindOf(block: Block): string {
	if (block.kind === 'html') return 'h';
	return block.language === 'mermaid' ? 'd' : 'c';
}

interface HtmlProps {
	readonly html: string;
	readonly formulas: Lazy<DrawFormulas>;
}

class HtmlBlock extends Component<HtmlProps> {
	private element: HTMLDivElement | null = null;
	private readonly keep = (element: HTMLDivElement | null) => {
		this.element = element;
	};

	override shouldComponentUpdate(next: HtmlProps) {
		return next.html !== this.props.html;
	}
	override componentDidMount() {
		this.drawFormulas();
	}
	override componentDidUpdate() {
		this.drawFormulas();
	}
	override render() {
		return (
			<div class="block" dir="auto" ref={this.keep} dangerouslySetInnerHTML={{ __html: sanitized(this.props.html) }} />
		);
	}

	/** At once when they can be drawn already, so that a growing paragraph does not flicker. */
	private drawFormulas(): void {
		const { html, formulas } = this.props;
		if (!html.includes(`class="${formulaClass}`)) return;
		const draw = (by: DrawFormulas) => {
			if (this.element) by(this.element);
		};
		const now = formulas.now();
		if (now) draw(now);
		else void formulas.load().then(draw, () => undefined);
	}
}

/** Links must not reach VS Code's own click handler, so the event ends here. */
function onClick(event: MouseEvent, send: (message: ToHost) => void): void {
	const target = event.target instanceof Element ? event.target : undefined;
	const link = target?.closest('a');
	if (link) {
		event.preventDefault();
		event.stopPropagation();
		const { url, file, line } = link.dataset;
		if (url) send({ type: 'link_opened', url });
		else if (file) send({ type: 'file_opened', path: file, ...(line ? { line: Number(line) } : {}) });
		return;
	}
	if (event.type === 'click' && target) onNestedCode(target, send);
}
