// The tools that every session has, in the order in which they are sent to the model.
import type { Tool } from '../tool.ts';
import { agentTool } from './agent.ts';
import { askUserQuestionTool } from './askUserQuestion.ts';
import { bashTool, powershellTool } from './bash.ts';
import { editTool } from './edit.ts';
import { enterPlanModeTool } from './enterPlanMode.ts';
import { exitPlanModeTool } from './exitPlanMode.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { notebookEditTool } from './notebookEdit.ts';
import { readTool } from './read.ts';
import { taskOutputTool } from './taskOutput.ts';
import { taskStopTool } from './taskStop.ts';
import { todoWriteTool } from './todoWrite.ts';
import { writeTool } from './write.ts';

export const builtinTools: readonly Tool[] = [
	readTool,
	grepTool,
	globTool,
	editTool,
	writeTool,
	notebookEditTool,
	bashTool,
	taskOutputTool,
	taskStopTool,
	todoWriteTool,
	askUserQuestionTool,
	enterPlanModeTool,
	exitPlanModeTool,
	agentTool,
];

/** With the tool for commands called as the shell (bash, zsh, pwsh.exe, …) is. */
export function builtinToolsFor(shell: string): readonly Tool[] {
	if (!/(?:^|[/\\])(?:pwsh|powershell)(?:-preview)?(?:\.exe)?$/i.test(shell)) return builtinTools;
	return builtinTools.map((tool) => (tool === bashTool ? powershellTool : tool));
}
