// What the demo model says about code that stands in the prompt: what it is, an outline, and for each task what its rules
// can tell, without pretending to have understood or changed anything. Pure.
import type { CodeTask } from './intents.ts';
import { inlineCode, list } from './markdown.ts';
import { findSmells, languageOfFile, outline, shorten, undocumented, type Line } from './source.ts';
import type { Texts } from './texts.ts';

/** The report on the code of a prompt, or on a file that was read for it. */
export function codeReport(task: CodeTask, path: string, lines: readonly Line[], texts: Texts): string {
	const declared = outline(lines);
	const outlined = declared.length > 0 ? `${texts.declares}\n\n${names(declared)}` : texts.declaresNothing;
	return [
		texts.codeIs(path, lines.length, languageOfFile(path)),
		...(task === 'tests' || task === 'document' ? [] : [outlined]),
		...about(task, { lines, declared, path }, texts),
		texts.task[task],
	].join('\n\n');
}

function names(lines: readonly Line[]): string {
	return list(lines.map(({ number, text }) => `${number}: ${inlineCode(text)}`));
}

function about(
	task: CodeTask,
	{ lines, declared, path }: { lines: readonly Line[]; declared: readonly Line[]; path: string },
	texts: Texts,
): string[] {
	switch (task) {
		case 'explain':
			return [];
		case 'fix':
		case 'improve': {
			const found = findSmells(lines, path).map(
				({ line, smell }) => `${line.number}: ${inlineCode(shorten(line.text.trim()))} (${texts.smell[smell]})`,
			);
			return found.length > 0 ? [`${texts.smellsFound}\n\n${list(found)}`] : [texts.noSmells];
		}
		case 'tests':
			return declared.length > 0 ? [`${texts.testable}\n\n${names(declared)}`] : [texts.declaresNothing];
		case 'document': {
			const bare = undocumented(lines);
			if (declared.length === 0) return [texts.declaresNothing];
			return bare.length > 0 ? [`${texts.undocumented}\n\n${names(bare)}`] : [texts.allDocumented];
		}
	}
}
