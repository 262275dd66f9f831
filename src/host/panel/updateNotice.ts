// Says once after an update that this is another version, until the person has taken note. A first installation is no update.
import * as vscode from 'vscode';

const key = 'loopwright.version';

export interface UpdateDeps {
	/** Outlives windows. */
	readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
	readonly version: string;
	readonly extensionUri: vscode.Uri;
	/** The panel should look again. */
	readonly changed: () => void;
}

export class UpdateNotice {
	private readonly deps: UpdateDeps;

	constructor(deps: UpdateDeps) {
		this.deps = deps;
		if (deps.memory.get(key) === undefined) void deps.memory.update(key, deps.version);
	}

	/** The version, while the person has not seen the news of it. */
	get updatedTo(): string | null {
		const { memory, version } = this.deps;
		return memory.get(key, version) === version ? null : version;
	}

	/** `show`: opens what is new. */
	async seen(show: boolean): Promise<void> {
		const { memory, version, extensionUri, changed } = this.deps;
		await memory.update(key, version);
		changed();
		if (!show) return;
		await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extensionUri, 'CHANGELOG.md'));
	}
}
