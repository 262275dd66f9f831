// What Read shows of an image or a PDF: the thing itself, within what the service takes, or why not and what to do instead.
import { promptLimits } from '../../shared/composer.ts';
import { limits } from '../limits.ts';
import type { MediaContent } from '../ports/workspace.ts';
import { imageSize } from '../util/imageSize.ts';
import type { ToolOutput } from './tool.ts';

export type Medium = Extract<MediaContent, { kind: 'image' | 'pdf' | 'encrypted' | 'too_large' }>;

export function mediaResult(content: Medium, path: string, shown: string): ToolOutput {
	switch (content.kind) {
		case 'image':
			return imageResult(content, path, shown);
		case 'pdf':
			return pdfResult(content, path, shown);
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
	const { mediaType, data, bytes } = content;
	const size = imageSize(data);
	if (!size || size.width === 0 || size.height === 0)
		return refused(`${shown} begins like an image, but it is broken.`);
	const measure = `${size.width} × ${size.height} pixels`;
	if (Math.max(size.width, size.height) > limits.imageSide) {
		return refused(
			`${shown} has ${measure}; a side may have ${limits.imageSide} at most. Make a smaller copy with a command, and read that.`,
		);
	}
	const scaled = Math.max(size.width, size.height) > promptLimits.imageEdge ? '; you may see it scaled down' : '';
	return {
		content: [
			{ type: 'text', text: `${shown}: ${measure}${scaled}.` },
			{ type: 'image', source: { type: 'base64', media_type: mediaType, data } },
		],
		view: { kind: 'media', path, bytes, size },
	};
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
