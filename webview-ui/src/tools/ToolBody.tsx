// What an opened tool card shows, chosen by the kind of its view. The generic one makes any tool look right.
import { t } from '@vscode/l10n';
import { agentMessage } from '../../../src/shared/agentWords.ts';
import type { ToolView, ViewNote } from '../../../src/shared/view.ts';
import { TodoList } from '../dock/TodoList.tsx';
import { Markdown } from '../markdown/Markdown.tsx';
import { AgentBody } from './AgentBody.tsx';
import { CommandBody } from './CommandBody.tsx';
import { Diff } from './Diff.tsx';
import { FileLink } from './FileLink.tsx';
import { MatchesBody } from './MatchesBody.tsx';
import { More } from './More.tsx';
import { ForeignBody } from './ForeignBody.tsx';
import { ReadBody } from './ReadBody.tsx';
import { isForeign, mediaWords } from './toolWords.ts';
import type { ToolRow } from './toolWords.ts';
import { WebBody } from './WebBody.tsx';

export function ToolBody({ row }: { readonly row: ToolRow }) {
	const failed = row.state === 'error' || row.state === 'denied';
	const { view, message = '' } = row;
	const told = view.kind === 'agent' ? agentMessage(message, view.answer) : message;
	return (
		<>
			{failed && told !== '' && view.kind !== 'command' && <pre class="tool-message whole">{told}</pre>}
			<View view={view} row={row} />
		</>
	);
}

function View({ view, row }: { readonly view: ToolView; readonly row: ToolRow }) {
	switch (view.kind) {
		case 'none':
			return row.summary === '' ? null : <p class="tool-summary">{row.summary}</p>;
		case 'text':
			if (isForeign(row.tool)) return <ForeignBody summary={row.summary} text={view.text} />;
			return (
				<>
					{view.note && <p class="small">{noteText(view.note)}</p>}
					<pre class="output" tabIndex={0}>
						{view.text}
					</pre>
				</>
			);
		case 'read':
			return <ReadBody view={view} />;
		case 'files':
			return (
				<>
					<ul class="files">
						{view.files.map((file) => (
							<li key={file}>
								<FileLink path={file} />
							</li>
						))}
					</ul>
					<More shown={view.files.length} total={view.total} />
				</>
			);
		case 'matches':
			return <MatchesBody view={view} />;
		case 'edit':
			return (
				<>
					<FileLink path={view.path} line={view.hunks[0]?.newStart} />
					<Diff hunks={view.hunks} path={view.path} />
				</>
			);
		case 'command':
			return <CommandBody view={view} toolUseId={row.toolUseId} />;
		case 'todos':
			return <TodoList todos={view.todos} />;
		case 'media':
			return (
				<p class="media-line">
					<FileLink path={view.path} /> <span class="small">{mediaWords(view)}</span>
				</p>
			);
		case 'web':
			return <WebBody view={view} />;
		case 'agent':
			return <AgentBody row={row} view={view} />;
		case 'plan':
			return <Markdown text={view.plan} open={false} />;
		case 'answers':
			return (
				<dl class="answers">
					{view.answers.map(({ question, answer }) => (
						<div key={question}>
							<dt>{question}</dt>
							<dd>{answer}</dd>
						</div>
					))}
				</dl>
			);
	}
}

function noteText({ code, args = [] }: ViewNote): string {
	return t(code, ...args);
}
