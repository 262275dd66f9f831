// Programs and options that make something else run than the first word says. Rule: none of them is reached by a rule that
// ends in `*`, unless it names them. Source of the lists: ecosystem 2.4.
import type { ShellCommand } from './shellAnalysis.ts';
import { commandName } from './shellWords.ts';

const passedThrough = new Set('timeout time nice nohup stdbuf command builtin noglob xargs'.split(' '));

/** Rules look past these wrappers. `xargs` only when it has no options: it is then named by itself. */
export function isPassedThrough(wrapper: string): boolean {
	return passedThrough.has(wrapper);
}

/** No pattern reaches what these start; an exact rule does. */
export function neverByPattern(wrapper: string): boolean {
	return /^(?:watch|setsid|ionice|flock|find|env)\b/.test(wrapper);
}

const harmlessVariables =
	/^(?:NODE_ENV|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|TERM|COLUMNS|LINES|CI|RUST_BACKTRACE|RUST_LOG|GOOS|GOARCH|CGO_ENABLED|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING)$/;

/** A variable may change what a command does; rules that allow look past the ones that are known not to. */
export function hasUnsafeAssignment({ assignments }: ShellCommand): boolean {
	return assignments.some(({ name, value }) => value === undefined || !harmlessVariables.test(name));
}

/** Options by program that run, load or fetch something of the writer's choosing. */
const launching: ReadonlyMap<string, RegExp> = new Map([
	['npm', /^--(?:script-shell|shell|node-options|prefix|userconfig|globalconfig|git)(?:=|$)|^-C/],
	['pnpm', /^--(?:script-shell|shell|node-options|prefix|dir|config|use-node-version)(?:[.=]|$)|^-C/],
	['yarn', /^--(?:script-shell|use-yarnrc|cwd|modules-folder)(?:=|$)/],
	['bun', /^--(?:shell|preload|cwd|require|import|config|bun)(?:=|$)|^-[rc]/],
	['node', /^--(?:require|import|loader|experimental-loader|eval|print|inspect)|^-[repi]/],
	['tsx', /^--(?:require|import|eval)|^-[re]/],
	['mocha', /^--(?:require|import|config|file|ui|reporter|node-option)|^-[rnRuf]/],
	['jest', /^--(?:config|globalSetup|setupFiles|reporters|runner|testRunner|rootDir)|^-c/],
	['vitest', /^--(?:config|root|reporter|globalSetup)|^-[cr]/],
	['eslint', /^--(?:config|rulesdir|resolve-plugins-relative-to|plugin|parser|format)|^-[cf]/],
	['prettier', /^--(?:config|plugin)/],
	['pytest', /^-[pc]|^--(?:rootdir|confcutdir|import-mode|override-ini)|^-o/],
	['cargo', /^--(?:config|manifest-path)|^-Z/],
	['go', /^-(?:exec|toolexec|overlay|modfile|vettool|C|gcflags|ldflags)/],
	['make', /^(?:-[fCIE]|--(?:file|makefile|directory|eval|include-dir)|(?:SHELL|MAKE\w*)=)/],
	[
		'tar',
		/^--(?:checkpoint-action|to-command|use-compress-program|info-script|new-volume-script|rsh-command|rmt-command)|^-[A-Za-z]*[IF]/,
	],
	['rsync', /^-[A-Za-z]*e|^--(?:rsh|rsync-path)/],
	['ssh', /^-[oF]|ProxyCommand|LocalCommand/i],
	['scp', /^-[oFS]/],
	['rg', /^--(?:pre|hostname-bin)/],
	['sort', /^--compress/],
	['man', /^-[PH]|^--(?:pager|html)/],
	['zip', /^-[A-Za-z]*T|^--unzip-command/],
	['docker', /^(?:-H|--host|--context|-c|--config)/],
	['kubectl', /^--(?:kubeconfig|server|context)/],
	['pip', /^--(?:index-url|extra-index-url|config-settings|python|target|root)|^-i/],
	['awk', /^-[fiEl]|system\s*\(|\|\s*(?:getline|")|\|&|@load/],
	['sed', /^--?(?:file|f)|(?:^|[;{}\d$/])e(?:$|[\s;}])|\/[gpim\d]*e[gpimw\d]*(?:$|[;}\s'])/],
	['vim', /^[+-]/],
	['ffmpeg', /^-(?:report|filter_script)/],
]);

/** Do the words make the program run something that its name does not say? */
export function runsOtherPrograms(words: readonly string[]): boolean {
	const name = commandName(words[0] ?? '').toLowerCase();
	if (name === 'git') return hasGitLauncher(words);
	if (name === 'find') {
		return words.some((word) => /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/.test(word));
	}
	if (['watch', 'setsid', 'ionice', 'flock'].includes(name)) return true;
	const options = launching.get(name);
	if (options === undefined) return false;
	const end = ['npm', 'pnpm', 'yarn', 'bun', 'make', 'cargo', 'go'].includes(name) ? words.indexOf('--') : -1;
	return words.slice(1, end === -1 ? undefined : end).some((word) => options.test(word));
}

/** `git -c x=y …` can make git run anything; so can some options of its subcommands. */
function hasGitLauncher(words: readonly string[]): boolean {
	const command = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
	return words.some((word, index) => {
		if (index === 0) return false;
		if (
			/^--(?:upload-pack|receive-pack|exec|ext-diff|textconv|open-files-in-pager|extcmd|config|template)(?:=|$)/.test(
				word,
			)
		)
			return true;
		if (/^(?:-u|-x|-O\S*)$/.test(word) && /^(?:clone|fetch|rebase|grep|ls-remote)$/.test(words[command] ?? ''))
			return true;
		if (/^(?:ext|fd)::/.test(word)) return true;
		if (command !== -1 && index > command) return false;
		return /^(?:-c|--config-env|--exec-path|-C|--git-dir|--work-tree)/.test(word);
	});
}
