// What can be typed as a command of ours and not as words for the model. Pure; the composer offers them, the host runs them.

export interface SlashCommand {
	/** After the slash. */
	readonly name: string;
	/** The command of the extension, without its prefix. `/compact` has words of its own, so it is none. */
	readonly command?: string;
	/** Words may follow. */
	readonly takesWords?: boolean;
}

export const slashCommands: readonly SlashCommand[] = [
	{ name: 'compact', takesWords: true },
	{ name: 'new', command: 'newConversation' },
	{ name: 'model', command: 'selectModel' },
	{ name: 'mode', command: 'selectMode' },
	{ name: 'rewind', command: 'rewind' },
	{ name: 'worktree', command: 'worktree' },
	{ name: 'export', command: 'exportConversation' },
	{ name: 'permissions', command: 'managePermissions' },
	{ name: 'key', command: 'setApiKey' },
	{ name: 'log', command: 'showLog' },
];

/** The command to run for a whole prompt, such as `/new`; undefined for everything else, such as a path. */
export function slashAction(text: string): string | undefined {
	const name = text.trim();
	return slashCommands.find((known) => `/${known.name}` === name)?.command;
}
