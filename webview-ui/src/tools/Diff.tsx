// Hunks as a small unified diff with line numbers. Signs and words carry the meaning, not colour alone.
import { t } from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { HunkView } from '../../../src/shared/permission.ts';

interface Props {
	readonly hunks: readonly HunkView[];
	readonly path: string;
	/** Stands above a hunk, by its index. */
	readonly head?: ((index: number) => ComponentChildren) | undefined;
	/** The hunk is not applied. */
	readonly leftOut?: (index: number) => boolean;
}
interface DiffLine {
	readonly sign: string;
	readonly text: string;
	readonly number: number;
}

/** Lines drawn before a hunk is cut; the editor shows all of it. */
const shownLines = 200;

export function Diff({ hunks, path, head, leftOut }: Props) {
	return (
		<div class="diff" role="region" tabIndex={0} aria-label={t('Changes of {0}', path)}>
			<div class="diff-lines">
				{hunks.map((hunk, index) => (
					<div key={index} class={leftOut?.(index) ? 'diff-hunk left-out' : 'diff-hunk'}>
						{head ? head(index) : index > 0 && <div class="diff-gap">⋯</div>}
						<Hunk lines={numbered(hunk)} />
					</div>
				))}
			</div>
		</div>
	);
}

function Hunk({ lines }: { readonly lines: readonly DiffLine[] }) {
	const hidden = lines.length - shownLines;
	return (
		<>
			{lines.slice(0, shownLines).map((line, index) => (
				<div key={index} class={`diff-line ${kindOf(line.sign)}`}>
					<span class="diff-number">{line.number}</span>
					<span class="diff-sign">{line.sign === '-' ? '−' : line.sign}</span>
					<span class="diff-text">{line.text}</span>
				</div>
			))}
			{hidden > 0 && <div class="diff-gap">{t('… and {0} more lines', String(hidden))}</div>}
		</>
	);
}

/** Removed lines count in the old file, all others in the new one. */
function numbered({ oldStart, newStart, lines }: HunkView): readonly DiffLine[] {
	let before = oldStart;
	let after = newStart;
	return lines.map((line) => {
		const sign = line.charAt(0) || ' ';
		const number = sign === '-' ? before : after;
		if (sign !== '+') before += 1;
		if (sign !== '-') after += 1;
		return { sign, text: line.slice(1), number };
	});
}

function kindOf(sign: string): string {
	if (sign === '+') return 'added';
	return sign === '-' ? 'removed' : 'context';
}
