// Text as a code block of Markdown. Contract: nothing in the text can end the block.

export function fenced(text: string, language: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
	const fence = '`'.repeat(longest + 1);
	return `${fence}${language}\n${text}\n${fence}`;
}
