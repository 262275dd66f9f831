// Draws markdown as blocks; a block that did not change is not touched. Clicks on links and copy buttons go to the host.
import { Component } from 'preact';
import { useRef } from 'preact/hooks';
import type { ToHost } from '../../../src/shared/protocol.ts';
import { usePanel } from '../panelContext.ts';
import { CodeBlock } from './CodeBlock.tsx';
import { sanitized } from './sanitize.ts';
import { MarkdownTail } from './tail.ts';

export function Markdown({ text, open }: { readonly text: string; readonly open: boolean }) {
	const { bridge } = usePanel();
	const tail = useRef<MarkdownTail | undefined>(undefined);
	tail.current ??= new MarkdownTail();
	const blocks = tail.current.update(text, open);
	return (
		<div
			class="markdown"
			onClick={(event) => onClick(event, bridge.send)}
			onAuxClick={(event) => onClick(event, bridge.send)}
		>
			{blocks.map((block, index) =>
				block.kind === 'code' ? (
					<CodeBlock
						key={`${index}c`}
						code={block.code}
						language={block.language}
						growing={open && index === blocks.length - 1}
					/>
				) : (
					<HtmlBlock key={`${index}h`} html={block.html} />
				),
			)}
		</div>
	);
}

class HtmlBlock extends Component<{ readonly html: string }> {
	override shouldComponentUpdate(next: { readonly html: string }) {
		return next.html !== this.props.html;
	}
	override render() {
		return <div class="block" dangerouslySetInnerHTML={{ __html: sanitized(this.props.html) }} />;
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
	const copied = target?.closest('.copy')?.closest('.code')?.querySelector('code')?.textContent;
	if (event.type === 'click' && copied) send({ type: 'text_copied', text: copied });
}
