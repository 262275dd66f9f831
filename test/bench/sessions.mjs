// `node test/bench/sessions.mjs`: how fast large sessions and long lists open. Prints medians; never fails on a figure.
//   --megabytes N   of the large transcript (200)     --sessions N   of the list (2000)     --runs N   (5)
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { sessionLines, writeLarge } from './largeSession.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { values } = parseArgs({
	options: {
		megabytes: { type: 'string', default: '200' },
		sessions: { type: 'string', default: '2000' },
		runs: { type: 'string', default: '5' },
	},
});
const folder = await mkdtemp(path.join(os.tmpdir(), 'loopwright-sessions-'));
try {
	const { SessionStore, SessionLibrary, searchSessions, newestEntries, showTranscript, ViewModel } = await load();
	const store = new SessionStore(folder);
	const library = () => new SessionLibrary(folder);
	const projects = path.join(folder, 'projects', '-w');
	await mkdir(projects, { recursive: true });
	const size = await writeLarge(path.join(projects, 'large.jsonl'), Number(values.megabytes));
	say(`one session of ${(size / 2 ** 20).toFixed(0)} MB`);
	await measure('newest page', () => store.readPage('/w', 'large'));
	await measure('three pages', async () => {
		let before;
		for (let page = 0; page < 3; page++) before = (await store.readPage('/w', 'large', before && { before })).start;
	});
	await measure('ready to go on', async () => {
		const opened = await store.open('/w', 'large');
		await opened.journal.close();
	});
	await measure('its newest screen, as the panel gets it', async () => {
		const [cwd, id] = ['/w', 'large'];
		const { entries } = await newestEntries({ store, cwd, id });
		const view = new ViewModel({ models: [], model: { id: 'm', name: 'm' } });
		showTranscript(view, entries, cwd);
		JSON.stringify(view.latest());
	});
	await measure('the whole, for comparison', () => store.read('/w', 'large'));
	await measure('search for words that are not there', async () => {
		const sessions = await library().transcripts('/w');
		const { signal } = new AbortController();
		for await (const hit of searchSessions({ sessions, text: 'no such words', signal })) say(hit.snippet);
	});
	for (let index = 0; index < Number(values.sessions); index++) {
		await writeFile(path.join(projects, `s${index}.jsonl`), sessionLines(`s${index}`, 40).join(''));
	}
	say(`${values.sessions} sessions`);
	const warm = library();
	await measure('list, cold', () => library().list('/w'));
	await warm.list('/w');
	await measure('list, again', () => warm.list('/w'));
} finally {
	await rm(folder, { recursive: true, force: true });
}

/** @param {string} name @param {() => Promise<unknown>} work */
async function measure(name, work) {
	const times = [];
	for (let run = 0; run < Number(values.runs); run++) {
		const began = performance.now();
		await work();
		times.push(performance.now() - began);
	}
	const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
	say(`  ${name.padEnd(40)} ${median.toFixed(1)} ms`);
}

/** The store and the panel's rows, bundled as they are in the product. */
async function load() {
	const outfile = path.join(folder, 'store.mjs');
	/** @param {string} name */
	const from = (name) => JSON.stringify(path.join(root, 'src', name));
	await build({
		stdin: {
			contents: [
				'node/sessions/sessionStore.ts',
				'node/sessions/sessionLibrary.ts',
				'node/sessions/sessionSearch.ts',
				'host/session/shownEntries.ts',
				'host/panel/transcriptRows.ts',
				'host/panel/viewModel.ts',
			]
				.map((name) => `export * from ${from(name)};`)
				.join('\n'),
			resolveDir: root,
		},
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		logLevel: 'warning',
	});
	return await import(pathToFileURL(outfile).href);
}

/** @param {string} text */
function say(text) {
	process.stdout.write(`${text}\n`);
}
