// What is said of a subagent that did not come to its end: the text for the model ends with the answer, which the view has, too. Pure.

/** The message of its call without the answer, which is shown by itself. */
export function agentMessage(message: string, answer: string): string {
	const said = answer.trim();
	return said !== '' && message.trimEnd().endsWith(said) ? message.trimEnd().slice(0, -said.length).trimEnd() : message;
}
