// Variables of the environment: which change what programs run or do. Rule: what is not known to be harmless is not.

/** Harmless whatever their text: they change language, colour and how much is said. */
const harmless = new Set(
	(
		'NODE_ENV LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM CI TERM DEBUG COLUMNS LINES VERBOSE QUIET ' +
		'RUST_BACKTRACE RUST_LOG LOG_LEVEL PORT HOST PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONIOENCODING PYTHONUTF8 ' +
		'GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME ' +
		'GIT_COMMITTER_EMAIL GIT_COMMITTER_DATE DEBIAN_FRONTEND GOOS GOARCH CGO_ENABLED NODE_NO_WARNINGS npm_config_yes ' +
		'ASAN_OPTIONS UBSAN_OPTIONS JEST_WORKER_ID TS_NODE_PROJECT BABEL_ENV APP_ENV RAILS_ENV RACK_ENV FLASK_ENV'
	).split(' '),
);

/** They name programs, files of code, or how the shell reads what follows. */
const names =
	/^(?:PATH|IFS|ENV|BASH.*|SHELL|SHELLOPTS|CDPATH|GLOBIGNORE|FIGNORE|HOME|PWD|OLDPWD|PROMPT.*|PS[0-4]|EXECIGNORE|FPATH|ZDOTDIR|NULLCMD|READNULLCMD|TMPDIR|TMP|TEMP|UID|EUID|POSIXLY_CORRECT|LD_.*|DYLD_.*|GIT_.*|SSH_.*|GPG_.*|.*PAGER.*|LESS.*|MORE|MAN.*|GREP_.*|RIPGREP_.*|.*EDITOR.*|VISUAL|BROWSER|DISPLAY|NODE_.*|NPM_.*|npm_.*|YARN_.*|PNPM_.*|COREPACK_.*|PYTHON.*|PIP_.*|VIRTUAL_ENV|CONDA_.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|JAVA_.*|_JAVA_.*|JDK_.*|JAVA_TOOL_OPTIONS|CLASSPATH|MAVEN_.*|MVN_.*|GRADLE_.*|GO.*|CARGO.*|RUST.*|CC|CXX|CPP|LD|AS|AR|MAKE.*|GNUMAKEFLAGS|CMAKE_.*|DOCKER_.*|KUBECONFIG|AWS_.*|AZURE_.*|GOOGLE_.*|HTTPS?_PROXY|https?_proxy|ALL_PROXY|all_proxy|NO_PROXY|no_proxy|CURL_.*|WGETRC|SSL_.*|OPENSSL_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|GLIBC_.*|HOSTALIASES|RES_OPTIONS|RESOLV.*|TERMINFO.*|TERMCAP|XDG_.*|SUDO_.*|TAR_OPTIONS|GZIP|ZIPOPT|UNZIP|RSYNC_.*|CVS_.*|SVN_.*|HG.*|DOTNET_.*|COMPlus_.*|LUA_.*|PHP.*|R_.*|ERL_.*|ELIXIR_.*|JULIA_.*|DENO_.*|BUN_.*|ELECTRON_.*|VSCODE_.*|ANTHROPIC_.*|OPENAI_.*|CLAUDE_.*|LOOPWRIGHT_.*)$/;

/** Setting it changes nothing that matters, whatever the text. */
export function isHarmlessVariable(name: string): boolean {
	return harmless.has(name) || /^LC_[A-Z]+$/.test(name);
}

/** Does setting it change what is run, or with what rights, from here on? */
export function changesPrograms(name: string): boolean {
	return !isHarmlessVariable(name) && names.test(name);
}
