// Tells the person once what is wrong with settings files and rules, and leads there; the log has every line of it.
import * as vscode from 'vscode';
import { problemText, type Sentence, type SettingsProblem } from '../../node/settings/sentence.ts';
import type { HostSettings } from './hostSettings.ts';

/** In the display language; reasons that are arguments, too. */
export function translated({ text, args }: Sentence): string {
	return vscode.l10n.t(text, ...args.map(translatedReason));
}

/** Reasons from the engine are whole sentences; here they stand inside of one. */
function translatedReason(arg: string): string {
	const whole = `${arg}.`;
	const translation = vscode.l10n.t(whole);
	return translation === whole ? vscode.l10n.t(arg) : translation.replace(/[.。]$/, '');
}

/** Contract: the same problems are told once, however often the settings change. */
export function tellProblems(settings: HostSettings, log: (line: string) => void): vscode.Disposable {
	let told = '';
	return settings.onChange(() => {
		const { problems } = settings;
		const lines = problems.map((problem) => problemText(problem));
		if (lines.join('\n') === told) return;
		told = lines.join('\n');
		lines.forEach((line) => log(`settings: ${line}`));
		warn(problems);
	});
}

function warn(problems: readonly SettingsProblem[]): void {
	// The gravest first.
	const ranks = { unknown: 0, rights: 1, value: 2 };
	const [first] = problems.toSorted((one, other) => ranks[one.effect] - ranks[other.effect]);
	if (!first) return;
	const text = problemText(first, translated);
	const more = problems.length - 1;
	const message = more === 0 ? text : `${text} ${vscode.l10n.t('({0} more in the log)', more)}`;
	const open = vscode.l10n.t('Open File');
	const actions = first.file === '' ? [] : [open];
	void vscode.window.showWarningMessage(message, ...actions).then(async (chosen) => {
		if (chosen === open) await openAt(first);
	});
}

async function openAt({ file, line, column }: SettingsProblem): Promise<void> {
	const position = new vscode.Position(line - 1, column - 1);
	const selection = new vscode.Range(position, position);
	try {
		await vscode.window.showTextDocument(vscode.Uri.file(file), { selection });
	} catch {
		// It is gone, or no text: the warning has said where.
	}
}
