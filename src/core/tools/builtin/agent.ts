// Hand a task to a subagent: a loop of its own in the same workspace, of which only the last answer comes back.
import * as z from 'zod';
import { limits } from '../../limits.ts';
import { headAndTail } from '../../util/text.ts';
import type { AgentType } from '../agentTypes.ts';
import { agentTypes, generalAgent } from '../agentTypes.ts';
import type { AgentView, SubagentReport } from '../subagent.ts';
import { defineTool } from '../tool.ts';

const names = agentTypes.map(({ name }) => name);
const types = agentTypes.map(({ name, use }) => `${name} (${use})`).join(', ');

export const agentTool = defineTool({
	name: 'Agent',
	description: `Hand a task to a subagent, which works alone and answers once. Use it for wide searches and for parts that do not
depend on each other: several in one answer work side by side. It sees nothing of this conversation; you get its last answer.`,
	schema: z.object({
		description: z.string().min(1).describe('The task in three to six words, for the person.'),
		prompt: z.string().min(1).describe('The whole task, and what to answer with.'),
		subagent_type: z.enum(names).optional().describe(`${types}. By default ${generalAgent.name}.`),
	}),
	// Each has its own place in the queue for the person, and edits of one file take turns.
	isConcurrencySafe: () => true,
	hasEffects: ({ subagent_type: wanted }) => typeOf(wanted).tools === undefined,
	interrupt: 'block',
	maxResultChars: limits.agentAnswerChars + 4_000,
	summary: (input) => input.description,
	permission: (input) => ({ access: { kind: 'none' }, detail: { kind: 'generic', input: input.prompt } }),
	async run({ prompt, subagent_type: wanted }, { runSubagent }, run) {
		if (runSubagent === undefined) {
			return {
				content: 'A subagent cannot start subagents. Do the work yourself.',
				view: { kind: 'none' },
				isError: true,
			};
		}
		const type = typeOf(wanted);
		const progress = (view: AgentView) => run.progress({ kind: 'view', view });
		const report = await runSubagent({ type, prompt, signal: run.signal, progress });
		const { trouble, view } = report;
		return { content: told(report), view, ...(trouble === undefined ? {} : { isError: true }) };
	},
});

function typeOf(wanted: string | undefined): AgentType {
	return agentTypes.find(({ name }) => name === wanted) ?? generalAgent;
}

/** For the model that asked. */
function told({ answer, trouble, view }: SubagentReport): string {
	const said = headAndTail(answer, limits.agentAnswerChars).text;
	if (trouble === undefined) return said;
	const calls = view.toolUses === 1 ? '1 tool call' : `${view.toolUses} tool calls`;
	const done = `It had made ${calls}; what it did is done.`;
	return [trouble, done, said === '' ? 'It had said nothing yet.' : `What it had said last:\n${said}`].join('\n');
}
