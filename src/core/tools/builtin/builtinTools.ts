// The tools that every session has, in the order in which they are sent to the model.
import type { Tool } from '../tool.ts';
import { askUserQuestionTool } from './askUserQuestion.ts';
import { bashTool } from './bash.ts';
import { editTool } from './edit.ts';
import { enterPlanModeTool } from './enterPlanMode.ts';
import { exitPlanModeTool } from './exitPlanMode.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { notebookEditTool } from './notebookEdit.ts';
import { readTool } from './read.ts';
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
	todoWriteTool,
	askUserQuestionTool,
	enterPlanModeTool,
	exitPlanModeTool,
];
