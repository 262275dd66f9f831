// Search results by file; each opens at its line.
import { t } from '@vscode/l10n';
import type { MatchView, ToolView } from '../../../src/shared/view.ts';
import { number } from '../format.ts';
import { usePanel } from '../panelContext.ts';
import { FileLink } from './FileLink.tsx';
import { More } from './More.tsx';

export function MatchesBody({ view }: { readonly view: Extract<ToolView, { kind: 'matches' }> }) {
	const byFile = grouped(view.matches);
	const shown = view.matches.reduce((sum, match) => sum + (match.count ?? 1), 0);
	return (
		<>
			<ul class="matches">
				{[...byFile].map(([file, matches]) => (
					<li key={file}>
						<FileLink path={file} line={matches[0]?.line} />
						{matches.length === 1 && matches[0]?.count !== undefined && (
							<span class="small"> {matchCount(matches[0].count)}</span>
						)}
						<Lines matches={matches.filter((match) => match.text !== undefined)} />
					</li>
				))}
			</ul>
			<More shown={shown} total={view.total} />
		</>
	);
}

function matchCount(count: number): string {
	return count === 1 ? t('1 match') : t('{0} matches', number(count));
}

function grouped(matches: readonly MatchView[]): ReadonlyMap<string, readonly MatchView[]> {
	const byFile = new Map<string, MatchView[]>();
	for (const match of matches) {
		const known = byFile.get(match.file);
		if (known) known.push(match);
		else byFile.set(match.file, [match]);
	}
	return byFile;
}

function Lines({ matches }: { readonly matches: readonly MatchView[] }) {
	const { bridge } = usePanel();
	if (matches.length === 0) return null;
	return (
		<ul>
			{matches.map(({ file, line, text }, index) => (
				<li key={index}>
					<button
						type="button"
						class="match"
						onClick={() => bridge.send({ type: 'file_opened', path: file, ...(line === undefined ? {} : { line }) })}
					>
						<span class="match-line">{line}</span>
						<span class="match-text">{text?.trim()}</span>
					</button>
				</li>
			))}
		</ul>
	);
}
