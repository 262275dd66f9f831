// The deliberate breaks: for each promise some, as one replacement in the source. What they show is in mutants.ts.

export interface Mutant {
	readonly name: string;
	/** Below `src/core`. */
	readonly file: string;
	readonly find: string;
	readonly put: string;
	/** What only long conversations reach. */
	readonly long?: true;
	/** What only work on files reaches. */
	readonly files?: true;
	/** What only subagents reach. */
	readonly agents?: true;
}

export const mutants: readonly Mutant[] = [
	{
		name: 'results are not put behind their calls',
		file: 'messages/toRequest.ts',
		find: "if (calls.size > 0) push(params, 'user', results(calls, followingUsers(messages, at), memo));",
		put: '',
	},
	{
		name: 'no lock in the executor',
		file: 'tools/streamingToolExecutor.ts',
		find: 'return call.safe && executing.length < cap && executing.every((other) => other.safe);',
		put: 'return true;',
	},
	{
		name: 'retries repeat what has finished',
		file: 'model/callModel.ts',
		find: 'answer.finishedBlocks === 0 && ',
		put: '',
	},
	{
		name: 'the calls of an answer that is taken back go on',
		file: 'loop/retract.ts',
		find: 'turn.executor.discard();',
		put: '',
	},
	{
		name: 'an answer is taken back although an unsafe call has started',
		file: 'loop/recovery.ts',
		find: 'const keeps = !mayBeRepeated(turn);',
		put: 'const keeps = false;',
	},
	{
		name: 'a resumed answer is taken back although its calls had started',
		file: 'loop/turn.ts',
		find: ' && known.size === 0;',
		put: ';',
	},
	{
		name: 'no bound on paused answers',
		file: 'loop/recovery.ts',
		find: ' && state.guards.pauseTurnResumes < limits.pauseTurnResumes',
		put: '',
	},
	{
		name: 'no bound on answers cut by the output limit',
		file: 'loop/recovery.ts',
		find: 'if (state.maxOutputTokensRecoveryCount >= limits.outputLimitRecoveries) return undefined;',
		put: '',
	},
	{
		name: 'no bound on empty answers',
		file: 'loop/recovery.ts',
		find: 'spoke || state.guards.emptyAnswerRetried ||',
		put: 'spoke ||',
	},
	{
		name: 'no bound on calls that cannot run',
		file: 'loop/collectResults.ts',
		find: 'if (guards.malformedTurns >= limits.malformedTurns) {',
		put: 'if (guards.malformedTurns < 0) {',
	},
	{
		name: 'a resumed session runs again what had started',
		file: 'session/resume.ts',
		find: 'const ran = started.get(call.id);',
		put: 'const ran = started.size < 0 ? started.get(call.id) : undefined;',
	},
	{
		name: 'results come out as they finish',
		file: 'tools/streamingToolExecutor.ts',
		find: 'let call = this.calls[this.head];',
		put: "let call = this.calls.find(({ status }) => status === 'completed');",
	},
	{
		name: 'a queued prompt is dropped',
		file: 'loop/attachments.ts',
		find: 'let prompt = params.queue.take();',
		put: 'let prompt = (params.queue.take(), params.queue.take());',
	},
	{
		name: 'a prompt that cannot be written down is lost',
		file: 'loop/attachments.ts',
		find: 'params.queue.putBack(prompt);',
		put: '',
	},
	{
		name: 'a compaction forgets what the person said',
		file: 'context/summaryMessage.ts',
		find: 'const words = await repeatedWords(messages, end, deps);',
		put: 'const words = undefined as string | undefined;',
	},
	{
		name: 'thinking is sent to another model',
		file: 'loop/prepareRequest.ts',
		find: 'const foreign = foreignThinking(state, params);',
		put: 'const foreign: readonly ProjectionChange[] = [];',
	},
	{
		name: 'a tombstone does not count on load',
		file: 'session/resume.ts',
		find: 'retract(drafts.get(entry.messageId), [started, results, requestIds]);',
		put: '',
	},
	{
		name: 'the start entry is written after the start',
		file: 'tools/runToolUse.ts',
		find: "await deps.journal.append({ type: 'tool_start',",
		put: "void (async (entry: Parameters<typeof deps.journal.append>[0]) => { await null; await deps.journal.append(entry); })({ type: 'tool_start',",
	},
	{
		name: 'the same call twice in one answer runs twice',
		file: 'loop/toolIds.ts',
		find: 'twins.some((twin) => sameCall(twin, block))',
		put: 'twins.length < 0',
	},
	{
		name: 'changes of what is sent are not written down',
		file: 'loop/record.ts',
		find: "await params.deps.journal.append({ type: 'projection', change });",
		put: '',
	},
	{
		name: 'a stopped executor starts what is queued',
		file: 'tools/streamingToolExecutor.ts',
		find: 'this.closedBy ??= reason;',
		put: '',
	},
	{
		name: 'a failure is shown before it is recovered',
		file: 'loop/recovery.ts',
		find: '// Refused in mid-stream, after calls: they are answered in phase 4.',
		put: "yield { type: 'model_error', failure };",
	},
	{
		name: 'a declined call runs',
		file: 'tools/permitCall.ts',
		find: "if (decision.behavior === 'deny') return ended(denied(toolUse, decision));",
		put: "if (decision.behavior === 'deny' && decision.stopped) return ended(denied(toolUse, decision));",
	},
	{
		name: 'what a crash left open is forgotten by the next prompt',
		file: 'session/queryEngine.ts',
		find: 'const left = this.pending ? closePending(this.pending) : [];',
		put: 'const left: readonly Message[] = [];',
	},
	{
		name: 'what becomes of a large result is decided again',
		file: 'context/toolResultBudget.ts',
		find: 'const open = ({ block }: Judged) => !decided.has(block.tool_use_id);',
		put: 'const open = ({ block }: Judged) => decided.size >= 0 && block.tool_use_id.length > 0;',
	},
	{
		name: 'stored results are forgotten on load',
		file: 'session/resume.ts',
		find: 'changes.push(entry.change);',
		put: "if (entry.change.kind !== 'results_stored') changes.push(entry.change);",
	},
	{
		name: 'a cleared result is sent whole',
		long: true,
		file: 'messages/projection.ts',
		find: 'for (const id of change.toolUseIds) replacements.set(id, { text: clearedResultText, keepsMedia: false });',
		put: '',
	},
	{
		name: 'one image that is refused costs all of them',
		file: 'context/pipeline.ts',
		find: 'const refused = all ? [] : leaveOutRefused(input, deps, failure.media);',
		put: 'const refused: ProjectionChange[] = [];',
	},
	{
		name: 'results are cleared again and again',
		long: true,
		file: 'context/microcompact.ts',
		find: 'isWhole(block.tool_use_id, plan) && ',
		put: '',
	},
	{
		name: 'half of a turn is snipped',
		long: true,
		file: 'context/snip.ts',
		find: 'messageIds: left.map(({ id }) => id),',
		put: "messageIds: left.flatMap(({ id, role }) => (role === 'user' ? id : [])),",
	},
	{
		name: 'the words of the person are collapsed',
		long: true,
		file: 'context/collapse.ts',
		find: "return isPrompt(message) || (message.role === 'user' && message.origin === 'interrupted');",
		put: 'return isPrompt(message) && message.content.length === 0;',
	},
	{
		name: 'a compaction cuts a turn in half',
		long: true,
		file: 'context/tail.ts',
		find: 'if (inside.has(at) || !isCut(messages, at)) continue;',
		put: 'if (inside.has(at)) continue;',
	},
	{
		name: 'a compaction forgets the todo list',
		long: true,
		file: 'context/summaryMessage.ts',
		find: '...(todos.length > 0',
		put: '...(todos.length < 0',
	},
	{
		name: 'a compaction forgets the mode',
		file: 'context/summaryMessage.ts',
		find: '\t\tmodeText(about.mode),',
		put: "\t\tmodeText(about.mode).replace(/: .*/, ''),",
	},
	{
		name: 'thinking stays behind a changed prefix',
		file: 'context/boundary.ts',
		find: 'return hasThinking ? [...thinkingDropped(messages), ...made] : made;',
		put: 'return hasThinking ? made : [...made];',
	},
	{
		name: 'work that has ended is told in another order',
		file: 'loop/attachments.ts',
		find: 'const ended = [...work.finished];',
		put: 'const ended = work.finished.toReversed();',
	},
	{
		name: 'work that has ended is told again',
		file: 'loop/attachments.ts',
		find: 'if (!known.has(id)) {',
		put: 'if (known.size >= 0) {',
	},
	{
		name: 'a denied hunk is written',
		files: true,
		file: 'tools/choice.ts',
		find: 'return edits.filter((edit) => !denied.has(edit));',
		put: 'return edits;',
	},
	{
		name: 'an edit is written over lines that changed meanwhile',
		files: true,
		file: 'tools/rebase.ts',
		find: 'if (other !== undefined && !isBefore(lines, edit, other)) return undefined;',
		put: '',
	},
	{
		name: 'a whole file takes away what nobody was shown',
		files: true,
		file: 'tools/proposal.ts',
		find: ' && takesOnly(linesOf(permitted.oldText), proposed.proposal)',
		put: '',
	},
	{
		name: 'what the person changed of a call does not run',
		file: 'tools/permitCall.ts',
		find: "if (first.kind === 'answered' || first.decision.input === undefined) return first;",
		put: "if (first.kind === 'answered' || first.decision.input !== undefined || !run.signal.aborted) return first;",
	},
	{
		name: 'the end of a command in the background is not told',
		files: true,
		file: 'tasks/backgroundTasks.ts',
		find: 'this.untold = [...this.untold, { id, note: endedNote(task, result) }];',
		put: '',
	},
	{
		name: 'a queued prompt that was read waits again after a restart',
		file: 'session/resume.ts',
		find: 'queued.delete(entry.message.id);',
		put: 'void entry.message.id;',
	},
	{
		name: 'a prompt for after the exchange is read in it',
		file: 'loop/promptQueue.ts',
		find: 'const first = this.prompts.find(({ afterExchange }) => !afterExchange);',
		put: 'const first = this.prompts.at(0);',
	},
	{
		name: 'what a subagent has begun is asked for again with another attempt',
		agents: true,
		file: 'tools/streamingToolExecutor.ts',
		find: ' || runnable.parsed.hasEffects',
		put: '',
	},
	{
		name: 'a stop does not reach subagents',
		agents: true,
		file: 'session/sessionAgents.ts',
		find: "const stop = () => controller.abort('stop' satisfies StopReasonOfUser);",
		put: 'const stop = () => undefined;',
	},
	{
		name: 'a denial is no matter to subagents',
		agents: true,
		file: 'session/sessionTools.ts',
		find: 'decide: (question, signal) => gate.decide(question, signal, asker),',
		put: "decide: async (question, signal) => { const word = await gate.decide(question, signal, asker); return asker ? { behavior: 'allow' } : word; },",
	},
];
