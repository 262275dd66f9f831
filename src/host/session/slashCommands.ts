// What is typed into the composer as a command for Loopwright and not as words for the model. Pure.

export interface CompactCommand {
	readonly name: 'compact';
	/** What the summary is to keep above all. */
	readonly focus?: string;
}

/** `/compact [focus]`; undefined for everything else, such as a path that begins with a slash. */
export function slashCommand(text: string): CompactCommand | undefined {
	const match = /^\/compact(?:\s+([\s\S]*))?$/.exec(text.trim());
	if (!match) return undefined;
	const focus = match[1]?.trim() ?? '';
	return focus === '' ? { name: 'compact' } : { name: 'compact', focus };
}
