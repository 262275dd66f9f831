// How fast a large session opens in the real workbench: from the click in the history to the newest screen drawn, and how much of it
// passes before the page has what it is to draw. Prints each run; never fails on a figure. At low load only:
// `node --import tsx test/bench/sessionInWorkbench.mts [megabytes] [runs]` (200, 3).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '../../scripts/lib/shell.mjs';
import { projectSlug } from '../../src/node/sessions/paths.ts';
import { closeBrowser } from '../e2e/harness/browser.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from '../e2e/harness/workbench.ts';
import { sessionLines, writeLarge } from './largeSession.mjs';

const longestMs = 30_000;
const [megabytes = 200, runs = 3] = process.argv.slice(2).map(Number);
const folder = sampleWorkspace();
const home = temporaryFolder('home');
const projects = path.join(home, '.loopwright', 'projects', projectSlug(folder));
mkdirSync(projects, { recursive: true });
writeFileSync(path.join(projects, 'small.jsonl'), sessionLines('small', 3, { cwd: folder }).join(''));
for (const name of ['small', 'large']) {
	mkdirSync(path.join(projects, name), { recursive: true });
	writeFileSync(
		path.join(projects, name, 'about.json'),
		JSON.stringify({ title: `the ${name} one`, titleBy: 'person' }),
	);
}
const size = await writeLarge(path.join(projects, 'large.jsonl'), megabytes, folder);

const bench = await openWorkbench({ folder, home });
try {
	say(`one session of ${(size / 2 ** 20).toFixed(0)} MB`);
	for (let run = 0; run < runs; run++) {
		const small = await show(bench, 'small', 'prompt 2');
		const large = await show(bench, 'large', 'prompt 399');
		say(
			`  in the page after ${large.told} ms, drawn after ${large.drawn} ms (a small one: ${small.told}, ${small.drawn})`,
		);
	}
} finally {
	await bench.close();
	await closeBrowser();
}
// What the browser's connection leaves behind would keep the process.
process.exit();

/** Opens a session from the history. Milliseconds since the click. */
async function show(
	workbench: Workbench,
	name: string,
	text: string,
): Promise<{ readonly told: number; readonly drawn: number }> {
	const frame = await workbench.panel();
	await workbench.runCommand('Loopwright: History');
	const row = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: `the ${name} one` });
	await row.waitFor();
	await workbench.page.evaluate('globalThis.__name = (named) => named');
	await workbench.page.evaluate(() => {
		addEventListener('mousedown', () => Object.assign(globalThis, { clickedAt: Date.now() }), {
			capture: true,
			once: true,
		});
	});
	// What names the functions of this file, in the page, where they run.
	await frame.evaluate('globalThis.__name = (named) => named');
	const seen = frame.evaluate(watch, text);
	await row.click();
	const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), longestMs));
	const found = await Promise.race([seen, late]);
	if (!found) throw new Error(`"${text}" is not drawn.\n${await workbench.describe()}`);
	const { told, drawn } = found;
	const clicked = await workbench.page.evaluate(() => Number(Reflect.get(globalThis, 'clickedAt')));
	return { told: told - clicked, drawn: drawn - clicked };
}

/** In the page of the panel: when it is told the conversation, and when its newest words are drawn. */
function watch(text: string): Promise<{ told: number; drawn: number }> {
	return new Promise((resolve) => {
		let told = 0;
		const listen = ({ data }: MessageEvent<{ readonly type?: string }>) => {
			if (data.type === 'snapshot') told = Date.now();
		};
		// Before the page itself, which draws at once.
		addEventListener('message', listen, { capture: true });
		const look = () => {
			const shown = document.querySelector('[role=log]')?.textContent ?? '';
			if (!shown.includes(text)) return void requestAnimationFrame(look);
			removeEventListener('message', listen, { capture: true });
			setTimeout(() => resolve({ told, drawn: Date.now() }));
		};
		look();
	});
}

function say(text: string): void {
	process.stdout.write(`${text}\n`);
}
