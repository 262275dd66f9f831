// Why a picture or PDF was not taken, for people.
import { t } from '@vscode/l10n';
import { promptLimits } from '../../../src/shared/composer.ts';
import type { Refusal } from './media.ts';

export function refusalWords(name: string, reason: Refusal | 'not_kept'): string {
	switch (reason) {
		case 'too_large':
			return t('{0} is too large.', name);
		case 'too_many':
			return t(
				'{0} is one too many: a message takes {1} pictures and PDFs, {2} MB together.',
				name,
				promptLimits.media,
				megabytes,
			);
		case 'unreadable':
			return t('{0} cannot be read. Pictures can be PNG, JPEG, GIF, WebP, AVIF or BMP, documents PDF.', name);
		case 'encrypted':
			return t('{0} opens with a password only.', name);
		case 'too_many_pages':
			return t('{0} has more than {1} pages.', name, promptLimits.pdfPages);
		case 'unknown_kind':
			return t('{0} is no picture or PDF; mention it with @ if it lies on this machine.', name);
		case 'not_kept':
			return t('{0} could not be kept.', name);
	}
}

const megabytes = promptLimits.mediaBytes / 1_000_000;
