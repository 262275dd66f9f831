// What the model is asked for when a conversation, or a part of it, is summarised. English, ours to tune.

/** The instruction that ends the request for the summary of the whole conversation. */
export function summaryInstruction(focus: string | undefined): string {
	return [
		summaryText,
		...(focus?.trim() ? [`The user asks to give special attention to this: ${focus.trim()}`] : []),
	].join('\n\n');
}

const summaryText = `[From Loopwright, not from the user] The conversation has grown too long to be sent whole. Everything above will be
replaced by what you write now, and you will go on working from it alone. Write for yourself: exact, complete, no preamble, no tools.
Use these headings, and leave none out:

## Intent
What the user wants in all, and what was asked for last. Note every condition that still holds: what must not be touched, how
things are to be done, when to stop ("then stop and ask me", "do not commit yet"). Quote such conditions word for word.
## Decisions
What was decided, by whom, and why; what was considered and ruled out.
## Files and code
Each file that matters: its path, what it is for, what was read in it or changed in it. Keep signatures, names, line numbers and
short pieces of code that are needed to go on.
## Errors and fixes
What went wrong, what it turned out to be, what was done; what the user said about it.
## User messages
The user's messages are added to your text word for word, all of them, so do not copy them. Say of each, in order and in a few
words, how it stands: done, open, refused, or replaced by a later one. Output of tools is not a message of the user.
## Pending work
What was asked for and is not done, in order.
## Current step
What was being done at the very end, how far it is, and the next step, if the user's words call for one. If the user said to stop
or to ask first at this point, say so here.`;

/** The instruction that ends the request for the summary of one segment. */
export const segmentInstruction = `[From Loopwright, not from the user] The steps above will be replaced by what you write now. Say in at most 25 lines what was
done in them and what was found out: files with paths and the lines or names that matter, commands with their outcome, errors and
their causes, decisions and their reasons. Facts only, no preamble, no tools, no plans for what comes next.`;
