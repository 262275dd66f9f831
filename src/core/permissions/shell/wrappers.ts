// Programs that start the program named in their words, and how to find it there. Data only; `launch.ts` reads it.
import type { OptionTable } from './options.ts';

export interface Wrapper {
	readonly options: OptionTable;
	/** Operands before the program's name, such as timeout's duration. */
	readonly skip?: number;
	/** `NAME=value` may stand before the program's name. */
	readonly assigns?: boolean;
	/** The shell's own commands work behind it, and `cd` behind it moves the shell. */
	readonly builtin?: boolean;
	/** Options that name the folder to start in. */
	readonly folder?: readonly string[];
	/** Options that make it something else: code of its own, another root, an editor. */
	readonly refused?: readonly string[];
	/** Options with which it starts nothing. */
	readonly starts?: readonly string[];
}

const inOrder = true;

export const wrappers: Readonly<Record<string, Wrapper>> = {
	time: { options: { flags: 'p', values: '', longFlags: [], inOrder }, builtin: true, assigns: true },
	command: { options: { flags: 'pvV', longFlags: [], inOrder }, builtin: true, starts: ['v', 'V'] },
	builtin: { options: { flags: '', longFlags: [], inOrder }, builtin: true },
	exec: { options: { flags: 'cl', values: 'a', longFlags: [], inOrder } },
	noglob: { options: { flags: '', longFlags: [], inOrder }, builtin: true },
	nocorrect: { options: { flags: '', longFlags: [], inOrder }, builtin: true },
	timeout: {
		options: {
			flags: 'vpf',
			values: 'ks',
			longFlags: ['foreground', 'preserve-status', 'verbose'],
			longValues: ['kill-after', 'signal'],
			inOrder,
		},
		skip: 1,
	},
	nice: { options: { flags: '0123456789', values: 'n', longFlags: [], longValues: ['adjustment'], inOrder } },
	nohup: { options: { flags: '', longFlags: [], inOrder } },
	stdbuf: { options: { flags: '', values: 'ioe', longFlags: [], longValues: ['input', 'output', 'error'], inOrder } },
	setsid: { options: { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'], inOrder } },
	ionice: {
		options: {
			flags: 't',
			values: 'cnpPu',
			longFlags: ['ignore'],
			longValues: ['class', 'classdata', 'pid', 'pgid', 'uid'],
			inOrder,
		},
		starts: ['p', 'P', 'u', 'pid', 'pgid', 'uid'],
	},
	sudo: {
		options: {
			flags: 'AbEHnPSkKlvVis',
			values: 'ughpCTrtDRU',
			longFlags: [
				'askpass',
				'background',
				'preserve-env',
				'set-home',
				'non-interactive',
				'stdin',
				'login',
				'shell',
				'edit',
			],
			longValues: ['user', 'group', 'host', 'prompt', 'close-from', 'chdir', 'chroot', 'command-timeout'],
			inOrder,
		},
		assigns: true,
		folder: ['D', 'chdir'],
		refused: ['i', 's', 'e', 'R', 'login', 'shell', 'edit', 'chroot'],
	},
	doas: { options: { flags: 'Lns', values: 'aCu', longFlags: [], inOrder }, refused: ['s', 'C'] },
	env: {
		options: {
			flags: 'i0v',
			values: 'uCS',
			longFlags: [
				'ignore-environment',
				'null',
				'debug',
				'list-signal-handling',
				'ignore-signal',
				'default-signal',
				'block-signal',
			],
			longValues: ['unset', 'chdir', 'split-string'],
			inOrder,
		},
		assigns: true,
		folder: ['C', 'chdir'],
		refused: ['S', 'split-string'],
	},
	xargs: {
		options: {
			flags: '0rtpxo',
			values: 'adEILnPs',
			longFlags: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty'],
			longValues: [
				'arg-file',
				'delimiter',
				'max-args',
				'max-lines',
				'max-procs',
				'max-chars',
				'replace',
				'process-slot-var',
			],
			inOrder,
		},
		refused: ['replace', 'process-slot-var'],
	},
	busybox: { options: { flags: '', longFlags: [], inOrder } },
	toybox: { options: { flags: '', longFlags: [], inOrder } },
};

export const shells: ReadonlySet<string> = new Set([
	'bash',
	'rbash',
	'sh',
	'dash',
	'ash',
	'ksh',
	'ksh93',
	'mksh',
	'zsh',
]);

/** They run what their words or their input say, in ways that are not followed. */
export const opaque: ReadonlySet<string> = new Set(
	(
		'fish csh tcsh cmd pwsh powershell nu elvish xonsh su runuser chroot unshare nsenter setpriv capsh script scriptreplay ' +
		'strace ltrace gdb lldb valgrind perf parallel sem entr watchexec chrt taskset numactl prlimit setarch linux32 linux64 ' +
		'fakeroot unbuffer expect dbus-run-session xvfb-run systemd-run start-stop-daemon run-parts at batch crontab pkexec ' +
		'ssh-agent rlwrap catchsegv choom chpst softlimit envdir setuidgid s6-setuidgid gosu su-exec tini dumb-init catatonit ' +
		'firejail bwrap proot flatpak-spawn distrobox toolbox sg newgrp daemon daemonize xterm screen tmux dtach abduco coproc ' +
		'uidmapshift ld.so i386 x86_64 cgexec torsocks proxychains proxychains4 tsocks faketime eatmydata chronic ifne ' +
		'ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 trickle cpulimit annotate-output sshpass memusage'
	).split(' '),
);
