// Tool names that a permission rule may carry without being called unknown: ours, and those of Claude Code that people's files
// name already (ecosystem.md 1.1, 2.4), whether or not we have them.
import { builtinTools } from '../../core/tools/builtin/builtinTools.ts';

const others = [
	'Bash PowerShell Monitor Read Edit Write NotebookEdit NotebookRead Glob Grep LSP LS WebFetch WebSearch Agent Skill',
	'TodoWrite TaskCreate TaskGet TaskList TaskUpdate TaskOutput TaskStop AskUserQuestion EnterPlanMode ExitPlanMode',
	'ToolSearch SendMessage ListMcpResourcesTool ReadMcpResourceTool SlashCommand',
].flatMap((line) => line.split(' '));

export const ruleTools: readonly string[] = [...new Set([...builtinTools.map(({ name }) => name), ...others])];
