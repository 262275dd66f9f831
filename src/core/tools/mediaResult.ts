// What Read shows of an image or a PDF: the thing itself, within what the service takes, or why not and what to do instead.
import { promptLimits } from '../../shared/composer.ts';
import type { ImageMeasure, MediaContent } from '../ports/workspace.ts';
import type { ToolOutput } from './tool.ts';

export type Medium = Extract<MediaContent, { kind: 'image' | 'pdf' | 'unfit' | 'encrypted' | 'too_large' }>;

export function mediaResult(content: Medium, path: string, shown: string): ToolOutput {
	switch (content.kind) {
		case 'image':
			return imageResult(content, path, shown);
		case 'pdf':
			return pdfResult(content, path, shown);
		case 'unfit':
			return unfitResult(content, shown);
		case 'encrypted':
			return refused(`${shown} opens with a password only, so it cannot be shown.`);
		case 'too_large':
			return refused(
				`${shown} has ${content.size} bytes; at most ${content.limit} can be shown. ` +
					'Make a smaller copy with a command (scaled down, or some pages of it), and read that.',
			);
	}
}

function imageResult(content: Extract<Medium, { kind: 'image' }>, path: string, shown: string): ToolOutput {
	const { mediaType, data, measure, original = measure } = content;
	const note = area(original) > area(measure) ? `, shown to you as ${sides(measure)}` : '';
	return {
		content: [
			{ type: 'text', text: `${shown}: ${sides(original)} pixels${note}.` },
			{ type: 'image', source: { type: 'base64', media_type: mediaType, data } },
		],
		view: { kind: 'media', path, bytes: original.bytes, size: { width: original.width, height: original.height } },
	};
}

function area({ width, height }: ImageMeasure): number {
	return width * height;
}

function sides({ width, height }: ImageMeasure): string {
	return `${width} × ${height}`;
}

function unfitResult({ problem, original }: Extract<Medium, { kind: 'unfit' }>, shown: string): ToolOutput {
	if (problem === 'broken' || !original) return refused(`${shown} begins like an image, but it cannot be decoded.`);
	return refused(
		`${shown} has ${sides(original)} pixels and ${original.bytes} bytes; an image of at most ` +
			`${promptLimits.sourcePixels / 1_000_000} million pixels can be scaled down to be shown, to ${promptLimits.imageBytes} bytes. ` +
			'Make a smaller copy with a command, and read that.',
	);
}

function pdfResult(content: Extract<Medium, { kind: 'pdf' }>, path: string, shown: string): ToolOutput {
	const { data, bytes, pages } = content;
	if (pages > promptLimits.pdfPages) {
		return refused(
			`${shown} has ${pages} pages; ${promptLimits.pdfPages} can be shown at most. ` +
				'Take the pages you need out of it with a command, or turn it into text.',
		);
	}
	return {
		content: [
			{ type: 'text', text: `${shown}: ${pages} ${pages === 1 ? 'page' : 'pages'}.` },
			{
				type: 'document',
				source: { type: 'base64', media_type: 'application/pdf', data },
				title: shown,
				pages,
			},
		],
		view: { kind: 'media', path, bytes, pages },
	};
}

function refused(message: string): ToolOutput {
	return { content: message, view: { kind: 'none' }, isError: true };
}
