// What the editor knows and the next turn should, too. Contract: each source is quick, never rejects, and keeps its notes short.
import * as vscode from 'vscode';
import type { AttachmentSource } from '../../core/loop/params.ts';
import { newDiagnosticsSource, type Problem } from './newDiagnostics.ts';
import { todoReminderSource } from './todoReminder.ts';

/** For one conversation. `folder`: absolute, its root. `isSecret`: files that are kept from the model. */
export function attachmentSources(folder: string, isSecret: (file: string) => boolean): readonly AttachmentSource[] {
	return [newDiagnosticsSource(folder, problemsOf, isSecret), todoReminderSource];
}

function problemsOf(file: string): readonly Problem[] {
	return vscode.languages.getDiagnostics(vscode.Uri.file(file)).flatMap((diagnostic): Problem[] => {
		const severity = severityOf(diagnostic.severity);
		if (!severity) return [];
		const { message, range, source = '', code } = diagnostic;
		const value = typeof code === 'object' ? code.value : code;
		const name = [source, value].filter((part) => part !== undefined && part !== '').join(' ');
		return [{ severity, line: range.start.line + 1, message, source: name }];
	});
}

function severityOf(severity: vscode.DiagnosticSeverity): Problem['severity'] | undefined {
	if (severity === vscode.DiagnosticSeverity.Error) return 'error';
	return severity === vscode.DiagnosticSeverity.Warning ? 'warning' : undefined;
}
