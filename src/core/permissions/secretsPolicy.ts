// Which files hold secrets. They are kept from the model, whichever way leads to them: tools that read and write, searches,
// commands, mentions, attachments. A person can allow each single time. Pure. Rule: names decide, never contents.
import nodePath from 'node:path';
import type { PlatformPath } from 'node:path';
import type { PathPattern } from './pathPattern.ts';
import { pathPattern } from './pathPattern.ts';
import { below, posixPath } from './places.ts';

/** What `context.exclude` holds when it is not set. Later ones win; `!` takes back. */
export const defaultExcludes: readonly string[] = [
	'.env*',
	'*.env',
	'!.env*.example',
	'!.env*.sample',
	'!.env*.template',
	'!.env*.dist',
	'!.env*.defaults',
	'*.pem',
	'*.key',
	'*.ppk',
	'*.p12',
	'*.pfx',
	'*.jks',
	'*.keystore',
	'*.kdbx',
	'id_rsa*',
	'id_dsa*',
	'id_ecdsa*',
	'id_ed25519*',
	'!id_*.pub',
	'.ssh/**',
	'!.ssh/known_hosts',
	'!.ssh/*.pub',
	'.gnupg/**',
	'.password-store/**',
	'.netrc',
	'_netrc',
	'.pgpass',
	'.my.cnf',
	'.npmrc',
	'.pypirc',
	'.htpasswd',
	'.git-credentials',
	'.vault-token',
	'credentials',
	'credentials.yml',
	'credentials.yaml',
	'credentials.xml',
	'credentials.ini',
	'credentials.toml',
	'credentials.csv',
	'credentials.db',
	'*credentials.json',
	'client_secret*.json',
	'service-account*.json',
	'secrets.json',
	'secrets.yml',
	'secrets.yaml',
	'secrets.toml',
	'secrets.ini',
	'*.tfvars',
	'*.tfstate',
	'.docker/config.json',
	'.kube/config',
	'.azure/**',
	'.config/gcloud/**',
	'.config/gh/hosts.yml',
	'proc/*/environ',
];

export interface SecretsPolicy {
	/** Absolute path, as written or real; better ask for both. */
	readonly isSecret: (path: string) => boolean;
	/** One glob that finds every file that may be secret, for a search; more than `isSecret` may be found by it. */
	readonly glob: string | undefined;
}

export interface SecretsQuery {
	/** Globs as git writes them; `/` starts at a workspace folder, `~/` at home, `//` at the root, others at any depth. */
	readonly exclude: readonly string[];
	readonly roots: readonly string[];
	readonly home?: string;
	readonly api?: PlatformPath;
}

/** Paths whose answer is remembered. */
const maxKnown = 1000;

/** Contract: case, Unicode form, trailing dots and streams of a file's name make no difference. */
export function secretsPolicy({ exclude, roots, home, api = nodePath }: SecretsQuery): SecretsPolicy {
	const patterns = exclude.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('#'));
	const anywhere = patterns.filter((text) => !/^!?[~/]/.test(text)).map((text) => text.replace(/^(!?)/, '$1**/'));
	const filesystem = patterns.filter((text) => /^!?\/\//.test(text)).map((text) => text.replace('//', '/'));
	const atHome = patterns.filter((text) => /^!?~\//.test(text)).map((text) => text.replace('~/', '/'));
	const atRoots = patterns.filter((text) => /^!?\/(?!\/)/.test(text));
	const all = compiled([...anywhere, ...filesystem]);
	const rooted = compiled(atRoots);
	const homely = compiled(atHome);
	const inFolder = (pattern: PathPattern | undefined, folder: string | undefined, path: string) => {
		const relative = pattern === undefined || folder === undefined ? undefined : below(folder, path, api);
		return relative !== undefined && pattern?.matches(relative, true) === true;
	};
	const matches = (path: string) =>
		[...new Set([path, plainPath(path, api)])].some((named) => {
			const relative = posixPath(named, api).replace(/^\/+/, '');
			if (all?.matches(relative, true) === true) return true;
			return roots.some((root) => inFolder(rooted, root, named)) || inFolder(homely, home, named);
		});
	// One call asks for the same path several times.
	const known = new Map<string, boolean>();
	return {
		isSecret(path) {
			const before = known.get(path);
			if (before !== undefined) return before;
			if (known.size >= maxKnown) known.clear();
			const secret = matches(path);
			known.set(path, secret);
			return secret;
		},
		glob: globOf(patterns),
	};
}

function compiled(patterns: readonly string[]): PathPattern | undefined {
	if (patterns.length === 0) return undefined;
	try {
		return pathPattern(patterns);
	} catch {
		// One that is no pattern must not switch off the others.
		return pathPattern(patterns.filter((text) => !/[[\]]/.test(text)));
	}
}

function globOf(patterns: readonly string[]): string | undefined {
	const names = patterns
		.filter((text) => !text.startsWith('!'))
		.map((text) => text.replace(/^(?:\/\/|~\/|\/)/, ''))
		.filter((text) => !/[{},[\]]/.test(text));
	return names.length === 0 ? undefined : `**/{${names.join(',')}}`;
}

/** What the file system may take for the same name. */
function plainPath(path: string, api: PlatformPath): string {
	const segments = path.split(api.sep === '\\' ? /[\\/]/ : '/');
	return segments.map((segment, index) => (index === 0 ? segment : plainSegment(segment))).join(api.sep);
}

/**
 * A name without what some file systems drop: invisible characters, trailing dots and spaces, the name of a stream. Full
 * width and other compatible letters become plain ones.
 */
export function plainSegment(segment: string): string {
	if (/^\.{1,2}$/.test(segment)) return segment;
	const folded = segment.normalize('NFKC').replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '');
	const named = folded.replace(/:[^:]*(?::\$?\w+)?$/, '').replace(/[. ]+$/, '');
	return named === '' ? folded : named;
}
