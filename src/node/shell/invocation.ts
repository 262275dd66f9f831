// How a command's text is given to the person's shell: `$SHELL -c text`, nothing glued to the text. The folder at the
// end comes from what the shell runs by itself when it exits, and only for commands that may change it. Pure.
import path from 'node:path';

/** The families of shells that are known. */
export type ShellKind = 'bash' | 'zsh' | 'fish' | 'posix' | 'powershell' | 'cmd';

/** How to start the shell for one command. */
export interface Invocation {
	readonly args: readonly string[];
	/** Added to the environment. */
	readonly env: Readonly<Record<string, string>>;
	/** Files to be written first, by their absolute path. */
	readonly files: Readonly<Record<string, string>>;
	/** Where the shell writes its folder when it exits; absent when the command cannot change it. */
	readonly cwdFile?: string;
	/** Windows: the arguments are passed as they are. */
	readonly verbatim?: boolean;
}

/** What an invocation is made of. */
export interface InvocationInput {
	/** The shell's path. */
	readonly shell: string;
	readonly command: string;
	/** A folder for this command's files, not made yet. */
	readonly folder: string;
	readonly platform: NodeJS.Platform;
	readonly env: Readonly<Record<string, string | undefined>>;
}

const KINDS: Readonly<Record<string, ShellKind>> = {
	bash: 'bash',
	zsh: 'zsh',
	fish: 'fish',
	sh: 'posix',
	dash: 'posix',
	ash: 'posix',
	ksh: 'posix',
	pwsh: 'powershell',
	powershell: 'powershell',
	cmd: 'cmd',
};

/** The shell's name without folder and `.exe`. */
export function shellName(shell: string): string {
	const file = shell.split(/[\\/]/).at(-1) ?? shell;
	return file.toLowerCase().replace(/\.exe$/, '');
}

/** The family of a shell, by its file's name; undefined for one that is not known. */
export function shellKind(shell: string): ShellKind | undefined {
	return KINDS[shellName(shell)];
}

const PWSH = 'C:\\Program Files\\PowerShell\\7\\pwsh.exe';

/** The shell to use: the preferred one if it is known, bash instead of a plain `sh`, else what the platform has. */
export function chooseShell(
	preferred: string | undefined,
	platform: NodeJS.Platform,
	exists: (file: string) => boolean,
): string {
	const kind = preferred === undefined ? undefined : shellKind(preferred);
	// Windows' own bash.exe leads into another system, with other paths.
	const elsewhere = platform === 'win32' && /[\\/](system32|windowsapps)[\\/]bash(\.exe)?$/i.test(preferred ?? '');
	if (preferred !== undefined && kind !== undefined && kind !== 'posix' && !elsewhere) {
		if (!isAbsolute(preferred, platform) || exists(preferred)) return preferred;
	}
	if (platform === 'win32') return exists(PWSH) ? PWSH : 'powershell.exe';
	return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find(exists) ?? '/bin/sh';
}

function isAbsolute(file: string, platform: NodeJS.Platform): boolean {
	return (platform === 'win32' ? path.win32 : path.posix).isAbsolute(file);
}

/** One argument may have 128 KiB on Linux; a whole command line 32 Ki characters on Windows. */
const MAX_ARGUMENT = 130_000;
const MAX_ARGUMENT_WINDOWS = 24_000;

/** True when the text has something that can change the shell's folder. */
export function mayChangeFolder(command: string): boolean {
	return /\b(cd|pushd|popd|chdir|eval|source|sl|Set-Location|Push-Location|Pop-Location)\b|(^|[\s;&|(])\.\s/im.test(
		command,
	);
}

/** How to run the command with the shell. The shell must be known (see `shellKind`). */
export function shellInvocation(input: InvocationInput): Invocation {
	const kind = shellKind(input.shell) ?? 'posix';
	if (kind === 'powershell') return powershell(input);
	if (kind === 'cmd') return commandPrompt(input);
	const cwdFile = path.join(input.folder, 'cwd');
	const report = mayChangeFolder(input.command) ? REPORTS[kind](cwdFile, input) : NO_REPORT;
	const text = report.before + input.command;
	const limit = input.platform === 'win32' ? MAX_ARGUMENT_WINDOWS : MAX_ARGUMENT;
	const common = { env: report.env, ...(report === NO_REPORT ? {} : { cwdFile }) };
	if (Buffer.byteLength(text) > limit) {
		const script = path.join(input.folder, 'command');
		return { ...common, args: [...report.args, script], files: { ...report.files, [script]: text } };
	}
	// A text that begins with a dash would be read as options.
	const argument = /^[-+]/.test(text) ? ` ${text}` : text;
	return { ...common, args: [...report.args, '-c', argument], files: report.files };
}

interface Report {
	readonly args: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	readonly files: Readonly<Record<string, string>>;
	/** Put before the command's text. */
	readonly before: string;
}

const NO_REPORT: Report = { args: [], env: {}, files: {}, before: '' };

/** `set +x` first: the report must not show in a trace. The standard error is away before the file is opened. */
function reportBody(file: string, print: string): string {
	return `{ set +x; } 2>/dev/null; ${print} 2>/dev/null >| ${quote(file)}`;
}

const REPORTS: Readonly<Record<'bash' | 'zsh' | 'fish' | 'posix', (file: string, input: InvocationInput) => Report>> = {
	bash(file, { folder, env, platform }) {
		const startup = path.join(folder, 'bash_env');
		const own = env['BASH_ENV'];
		const restore =
			own === undefined || own === ''
				? 'unset BASH_ENV'
				: `BASH_ENV=${quote(own)}; [ -r "$BASH_ENV" ] && . "$BASH_ENV"`;
		const print = platform === 'win32' ? 'builtin pwd -W' : 'builtin pwd';
		const trap = `trap -- ${quote(reportBody(file, print))} EXIT`;
		return { ...NO_REPORT, env: { BASH_ENV: startup }, files: { [startup]: `${restore}\n${trap}\n` } };
	},
	zsh(file, { folder, env }) {
		const own = env['ZDOTDIR'];
		const lines = [
			own === undefined ? 'unset ZDOTDIR' : `ZDOTDIR=${quote(own)}`,
			'[[ -r ${ZDOTDIR:-$HOME}/.zshenv ]] && . ${ZDOTDIR:-$HOME}/.zshenv',
			`__loopwright_folder() { ${reportBody(file, 'builtin pwd')} }`,
			'zshexit_functions+=(__loopwright_folder)',
		];
		return {
			...NO_REPORT,
			env: { ZDOTDIR: folder },
			files: { [path.join(folder, '.zshenv')]: `${lines.join('\n')}\n` },
		};
	},
	fish(file) {
		const quoted = `'${file.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
		const hook = `function __loopwright_folder --on-event fish_exit; builtin pwd 2>/dev/null >${quoted}; end`;
		return { ...NO_REPORT, args: ['-C', hook] };
	},
	posix(file) {
		return { ...NO_REPORT, before: `trap ${quote(reportBody(file, 'pwd'))} EXIT\n` };
	},
};

function quote(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

function powershell({ command, folder }: InvocationInput): Invocation {
	const script = path.join(folder, 'command.ps1');
	const cwdFile = path.join(folder, 'cwd');
	const [first, rest] = headOfScript(command);
	const text = [
		...first,
		'$OutputEncoding = [Console]::OutputEncoding = New-Object System.Text.UTF8Encoding $false',
		rest,
		'',
		'$loopwrightOk = $?',
		`[IO.File]::WriteAllText('${cwdFile.replaceAll("'", "''")}', (Get-Location -PSProvider FileSystem).ProviderPath)`,
		'if ($loopwrightOk) { exit 0 } elseif ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }',
		'',
	].join('\r\n');
	return {
		args: ['-NoLogo', '-NoProfile', '-ExecutionPolicy', 'Bypass', '-File', script],
		env: {},
		// Windows PowerShell reads a script as UTF-8 only with a byte order mark.
		files: { [script]: `\ufeff${text}` },
		cwdFile,
	};
}

/** `using` and `#requires` must stand before everything else of a script. */
function headOfScript(command: string): readonly [readonly string[], string] {
	const lines = command.split('\n');
	const count = lines.findIndex((line) => !/^\s*(using\s|#|$)/i.test(line));
	const head = count < 0 ? [] : lines.slice(0, count);
	return head.some((line) => /^\s*(using\s|#requires)/i.test(line))
		? [head, lines.slice(count).join('\n')]
		: [[], command];
}

/** The folder at the end is told by a script of its own behind the command, in the same process. */
function commandPrompt({ command, folder }: InvocationInput): Invocation {
	const file = (name: string) => path.join(folder, name);
	const cwdFile = file('cwd');
	const end = ['@set loopwright_code=%errorlevel%', `@cd >"${cwdFile}"`, '@exit %loopwright_code%', ''].join('\r\n');
	const report = mayChangeFolder(command)
		? { behind: ` & call "${file('end.cmd')}"`, files: { [file('end.cmd')]: end }, cwdFile }
		: { behind: '', files: {} };
	const { behind, files, ...rest } = report;
	const common = { env: {}, verbatim: true, ...rest };
	if (!command.trim().includes('\n') && command.length <= 7800) {
		return { ...common, args: ['/d', '/s', '/c', `"chcp 65001 >nul & ${command.trim()}${behind}"`], files };
	}
	const script = file('command.cmd');
	const text = ['@echo off', 'chcp 65001 >nul', ...command.split(/\r?\n/), ''].join('\r\n');
	const call = behind === '' ? `"${script}"` : `"call "${script}"${behind}"`;
	return { ...common, args: ['/d', '/s', '/c', call], files: { [script]: text, ...files } };
}
