// The ports of a conversation without an editor: disk, ripgrep, a shell without terminal, and nobody to ask.
import type { ModelClient } from '../core/model/client.ts';
import type { Interaction } from '../core/ports/interaction.ts';
import type { OutputFiles } from '../core/ports/outputFiles.ts';
import type { ResultStore } from '../core/ports/resultStore.ts';
import type { Search } from '../core/ports/search.ts';
import type { ShellParser } from '../core/ports/shellParser.ts';
import type { SessionPorts } from '../core/session/options.ts';
import { newUuid, systemClock, systemRandom } from '../node/clock.ts';
import { findRipgrep } from '../node/search/findRipgrep.ts';
import { RipgrepSearch } from '../node/search/ripgrepSearch.ts';
import type { SessionJournal } from '../node/sessions/sessionFiles.ts';
import { NodeShell } from '../node/shell/nodeShell.ts';
import { TreeSitterShellParser } from '../node/shellParser/treeSitterShellParser.ts';
import type { Encoding } from '../node/text/encodings.ts';
import { NodeWorkspace } from '../node/workspace/nodeWorkspace.ts';
import type { Installation } from './installation.ts';
import type { Environment } from './setup.ts';

/** Contract: answers at once; what would have to be asked is denied. */
const nobody: Interaction = {
	requestPermission: () => Promise.resolve({ behavior: 'deny' }),
};

const noRipgrep = {
	kind: 'failed',
	message: 'ripgrep (rg) was not found: it is neither installed beside Loopwright nor on the PATH.',
} as const;
const noSearch: Search = { files: () => Promise.resolve(noRipgrep), content: () => Promise.resolve(noRipgrep) };

/** Looks for ripgrep when the first search asks for it: a run may never search. */
function lazySearch(root: string): Search {
	let found: Promise<Search> | undefined;
	const search = () => {
		found ??= findRipgrep({ from: [root] }).then((rgPath) =>
			rgPath === undefined ? noSearch : new RipgrepSearch({ rgPath }),
		);
		return found;
	};
	return {
		files: async (...args) => (await search()).files(...args),
		content: async (...args) => (await search()).content(...args),
	};
}

/** The adapters of one run. The conversation disposes of the shell. */
export function makePorts(parts: {
	readonly client: ModelClient;
	readonly roots: readonly string[];
	/** What files without a byte order mark are taken for. */
	readonly encoding: Encoding | undefined;
	readonly journal: SessionJournal;
	readonly env: Environment;
	readonly installation: Installation;
	/** Absent: large results stay in the conversation, as a run that stores nothing has no place for them. */
	readonly results?: ResultStore & OutputFiles;
}): SessionPorts & { readonly shellParser: ShellParser } {
	return {
		client: parts.client,
		workspace: new NodeWorkspace({ roots: parts.roots, ...(parts.encoding ? { encoding: parts.encoding } : {}) }),
		search: lazySearch(parts.installation.root),
		shell: new NodeShell({
			runnerPath: parts.installation.shellRunner,
			nodePath: process.execPath,
			env: parts.env,
		}),
		shellParser: new TreeSitterShellParser(parts.installation.grammars),
		interaction: nobody,
		journal: parts.journal,
		clock: systemClock,
		uuid: newUuid,
		random: systemRandom,
		...(parts.results ? { results: parts.results, outputFiles: parts.results } : {}),
	};
}
