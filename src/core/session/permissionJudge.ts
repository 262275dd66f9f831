// What the permission engine says about a call of this session: hands it rules, mode, folders, trust, and how commands are
// understood. Rules and secrets are read anew only when they changed; a command is parsed once for all its judgements.
import type { PermissionMode } from '../../shared/permission.ts';
import { plainAnalysis } from '../permissions/commandFacts.ts';
import { judge, readFilter } from '../permissions/engine.ts';
import type { HookWord } from '../permissions/query.ts';
import type { CallInput } from '../permissions/ruleMatch.ts';
import type { RuleTexts, Rules, SourcedRule } from '../permissions/rule.ts';
import { isToolDenied, readRules } from '../permissions/rule.ts';
import type { SecretsPolicy } from '../permissions/secretsPolicy.ts';
import { defaultExcludes, secretsPolicy } from '../permissions/secretsPolicy.ts';
import { analyseCommand } from '../permissions/shell/analyseCommand.ts';
import type { ShellAnalysis } from '../permissions/shellAnalysis.ts';
import type { Verdict } from '../permissions/verdict.ts';
import { limits } from '../limits.ts';
import type { EngineOptions } from './options.ts';
import type { SupposedCall } from './permissionInquiry.ts';

export interface JudgedCall extends SupposedCall {
	readonly input?: CallInput;
	readonly hook?: HookWord;
}

export class PermissionJudge {
	private readonly options: EngineOptions;
	private readonly mode: () => PermissionMode;
	/** The last two sets: with the session's own rules, and without. */
	private known: readonly { readonly key: string; readonly rules: Rules }[] = [];
	/** The last command that was judged: it is judged again for each rule that the person types. */
	private understood: { readonly key: string; readonly analysis: ShellAnalysis } | undefined;
	private secrets: { readonly key: string; readonly policy: SecretsPolicy } | undefined;

	constructor(options: EngineOptions, mode: () => PermissionMode) {
		this.options = options;
		this.mode = mode;
	}

	/** `added`: allow rules beside those of the settings. */
	async judge(call: JudgedCall, added: readonly SourcedRule[]): Promise<Verdict> {
		const { options } = this;
		await options.freshSettings?.();
		const { trusted } = options.settings();
		const { workspace, shell } = options.ports;
		const analysis = await this.ofCall(call);
		return judge({
			...call,
			mode: this.allowedMode(),
			rules: this.rulesNow(added),
			secrets: this.policy(),
			roots: workspace.roots,
			interactive: options.interactive,
			shell: shell.name,
			...(trusted === undefined ? {} : { trusted }),
			...(options.home === undefined ? {} : { home: options.home }),
			...(analysis === undefined ? {} : { analysis }),
			realPath: (path) => workspace.realPath(path),
			list: (path) => workspace.list(path),
			secretsIn: (folder) => this.secretsIn(folder),
		});
	}

	/** False where a deny rule or the secrets policy keeps a file out of what a search below `base` found. */
	mayRead(path: string, base: string): boolean {
		const { home, ports } = this.options;
		if (!readFilter(this.rulesNow([]), ports.workspace.roots, home)(path)) return false;
		// What was permitted by itself is not kept back from its own search.
		return !this.isSecret(path) || path === base || this.isSecret(base);
	}

	/** Files that are not to be told to the model without being asked for: mentions, changes, problems, selections. */
	isSecret(path: string): boolean {
		return this.policy().isSecret(path);
	}

	/** A tool that is denied whatever its input is not offered to the model. */
	isDenied(tool: string): boolean {
		return isToolDenied(this.rulesNow([]), tool);
	}

	/** Contract: bypass holds only where a setting enables it at this moment. */
	private allowedMode(): PermissionMode {
		const mode = this.mode();
		return mode === 'bypassPermissions' && this.options.settings().allowBypass !== true ? 'default' : mode;
	}

	private rulesNow(added: readonly SourcedRule[]): Rules {
		const { allow, ask, deny } = this.options.settings();
		const texts: RuleTexts = { allow: [...allow, ...added], ask, deny };
		const key = JSON.stringify(texts);
		const found = this.known.find((known) => known.key === key);
		if (found !== undefined) return found.rules;
		const { rules } = readRules(texts);
		this.known = [{ key, rules }, ...this.known.slice(0, 1)];
		return rules;
	}

	private policy(): SecretsPolicy {
		const { home, ports, settings } = this.options;
		const exclude = settings().exclude ?? defaultExcludes;
		const { roots } = ports.workspace;
		const key = JSON.stringify([exclude, roots]);
		if (this.secrets?.key !== key) {
			this.secrets = { key, policy: secretsPolicy({ exclude, roots, ...(home === undefined ? {} : { home }) }) };
		}
		return this.secrets.policy;
	}

	/** Contract: a search that fails finds nothing; the folder's files are then judged by name alone. */
	private async secretsIn(folder: string): Promise<readonly string[]> {
		const { glob } = this.policy();
		if (glob === undefined) return [];
		const query = { pattern: glob, folder, limit: limits.secretsLookedFor };
		const found = await this.options.ports.search.files(query, AbortSignal.timeout(limits.secretsSearchMs));
		return found.kind === 'found' ? found.files : [];
	}

	/** What a command line would do when it starts in `cwd`. Never rejects. */
	async analyse(command: string, cwd: string): Promise<ShellAnalysis> {
		return (await this.parsed(command, cwd)) ?? plainAnalysis(command, this.options.ports.shell.name, cwd);
	}

	private async ofCall({ need: { access, detail } }: JudgedCall): Promise<ShellAnalysis | undefined> {
		if (access.kind !== 'command' || detail.kind !== 'command') return undefined;
		return this.parsed(access.command, detail.cwd);
	}

	/** Contract: what the parser does not know, as other shells, is read as simple commands only. */
	private async parsed(command: string, cwd: string): Promise<ShellAnalysis | undefined> {
		const { home, ports } = this.options;
		if (ports.shellParser === undefined) return undefined;
		const key = JSON.stringify([command, cwd]);
		if (this.understood?.key !== key) {
			const analysis = await analyseCommand(command, {
				shell: ports.shell.name,
				cwd,
				parser: ports.shellParser,
				...(home === undefined ? {} : { home }),
			});
			this.understood = { key, analysis };
		}
		const { analysis } = this.understood;
		return analysis.unclear.some(({ code }) => code === 'no_parser') ? undefined : analysis;
	}
}
