// Small facts that all of the host's compositions need.
import type * as vscode from 'vscode';

/** Runs `task` after `ms`; gives back how to cancel it. */
export function later(task: () => void, ms: number): () => void {
	const timer = setTimeout(task, ms);
	return () => clearTimeout(timer);
}

/** Of the extension. */
export function versionOf(context: vscode.ExtensionContext): string {
	return (context.extension.packageJSON as { readonly version: string }).version;
}
