// Drives a workbench that is open in a page, and the panel in it, by what a person or a screen reader finds there.
// Knows nothing about how the server was started. Every wait ends with an error that says what was there instead.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errors, type Frame, type Locator, type Page } from 'playwright-core';
import { cache, root } from '../../../scripts/lib/shell.mjs';

export const screenshotFolder = path.join(cache, 'screenshots');
/** The workbench is slow on a small machine; a single step in it is not. */
const LOAD_MS = 60_000;

export type Locale = 'en' | 'zh-cn';

export class WorkbenchPage {
	readonly page: Page;
	readonly locale: Locale;
	readonly #texts: Readonly<Record<string, string>>;
	readonly #titles: ReadonlyMap<string, string>;
	readonly #screenshots: string;

	constructor(page: Page, locale: Locale = 'en', screenshots = screenshotFolder) {
		this.page = page;
		this.locale = locale;
		this.#screenshots = screenshots;
		const bundle = path.join(root, `l10n/bundle.l10n.${locale}.json`);
		this.#texts = existsSync(bundle) ? JSON.parse(readFileSync(bundle, 'utf8')) : {};
		this.#titles = commandTitles(locale);
	}

	/** The panel's text for an English one in this page's language. */
	text(english: string): string {
		return this.#texts[english] ?? english;
	}

	/** Loads the workbench and waits until the panel can be used. */
	async load(url: string, openPanel = true): Promise<void> {
		await this.page.goto(url);
		await this.#untilLoaded(openPanel);
	}

	async #untilLoaded(openPanel = true): Promise<void> {
		await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: LOAD_MS });
		if (!openPanel) return;
		try {
			await this.panel(25_000);
		} catch {
			await this.focusPanel();
			await this.panel(30_000);
		}
	}

	/**
	 * The panel's frame as it is now: the webview's innermost frame that holds the conversation. After a reload, or when the
	 * panel was closed and opened, it is another one, so ask again instead of keeping it.
	 */
	async panel(timeoutMs = 20_000): Promise<Frame> {
		const found = await poll(timeoutMs, async () => {
			for (const frame of contentFrames(this.page)) {
				if (
					(await frame
						.locator('[role=log]')
						.count()
						.catch(() => 0)) > 0
				)
					return frame;
			}
			return undefined;
		});
		if (found) return found;
		const frames = this.page.frames().map((frame) => frame.url().replace(/\?.*/, ''));
		throw new Error(`No panel within ${timeoutMs} ms; frames: ${frames.join(', ')}`);
	}

	async isPanelOpen(): Promise<boolean> {
		return this.panel(1).then(
			() => true,
			() => false,
		);
	}

	async composer(): Promise<Locator> {
		return (await this.panel()).getByRole('textbox', { name: this.text('Message'), exact: true });
	}

	async button(name: string): Promise<Locator> {
		return (await this.panel()).getByRole('button', { name: this.text(name), exact: true });
	}

	/** Writes into the composer and sends it with the button. */
	async submit(text: string): Promise<void> {
		await this.write(await this.composer(), text);
		await (await this.button('Send')).click();
	}

	/**
	 * Puts a text into a box of the panel, in place of what is there, and the keys with it. All in one moment: Playwright's own `fill`
	 * sends the text to whatever has the focus by then, and an editor that was just opened takes it some time later.
	 */
	async write(box: Locator, text: string): Promise<void> {
		await box.click({ trial: true });
		const written = await poll(10_000, async () => {
			await box.focus();
			return (await box.evaluate(putText, text)) || undefined;
		});
		if (!written) throw new Error(`The keys do not stay in the box for "${text}".\n${await this.describe()}`);
	}

	async status(): Promise<string> {
		const status = (await this.panel()).getByRole('status').first();
		return ((await status.textContent({ timeout: 5_000 })) ?? '').trim();
	}

	/** Waits for exactly this status. Use `Ready` after `submit` only together with something that shows that the work began. */
	async waitForStatus(expected: string, timeoutMs = 30_000): Promise<void> {
		const wanted = this.text(expected);
		let last = '(none)';
		const reached = await poll(timeoutMs, async () => {
			last = await this.status().catch((error: Error) => `(${error.message.split('\n')[0]})`);
			return last === wanted || undefined;
		});
		if (!reached)
			throw new Error(`Status is "${last}", not "${wanted}", after ${timeoutMs} ms.\n${await this.describe()}`);
	}

	/** Sends a prompt and waits until the agent waits again; fails when it goes on waiting for an answer to a request instead. */
	async ask(text: string, timeoutMs = 60_000): Promise<void> {
		const before = await (await this.articles('You')).count();
		await this.submit(text);
		await (await this.articles('You')).nth(before).waitFor();
		await this.waitForEnd(timeoutMs);
	}

	/** Waits until the running exchange is over ("Ready" or "Stopped"). */
	async waitForEnd(timeoutMs = 60_000): Promise<void> {
		const ends = ['Ready', 'Stopped'].map((status) => this.text(status));
		const waiting = this.text('Waiting for you');
		let last = '';
		let waits = 0;
		await poll(timeoutMs, async () => {
			last = await this.status().catch(() => last);
			// An answer given a moment ago, in an editor perhaps, is still on its way.
			waits = last === waiting ? waits + 1 : 0;
			return ends.includes(last) || waits > 30 || undefined;
		});
		if (!ends.includes(last)) throw new Error(`The exchange did not end; status "${last}".\n${await this.describe()}`);
	}

	async articles(author: 'You' | 'Loopwright'): Promise<Locator> {
		return (await this.panel()).getByRole('article', { name: this.text(author), exact: true });
	}

	/** A tool's card by its whole name, e.g. "Read: src/auth/login.ts", or a pattern. */
	async card(name: string | RegExp): Promise<Locator> {
		return (await this.panel()).getByRole('group', typeof name === 'string' ? { name, exact: true } : { name });
	}

	/** Waits until a card has the state of its `data-state`. */
	async waitForCard(name: string | RegExp, state: string, timeoutMs = 20_000): Promise<Locator> {
		const card = (await this.card(name)).and((await this.panel()).locator(`[data-state="${state}"]`)).first();
		await card.waitFor({ state: 'attached', timeout: timeoutMs }).catch(async (error: unknown) => {
			if (!(error instanceof errors.TimeoutError)) throw error;
			throw new Error(`No card ${name} in state "${state}".\n${await this.describe()}`);
		});
		return card;
	}

	/** The permission card of a tool. */
	async permission(tool: string): Promise<Locator> {
		return (await this.panel()).getByRole('group', {
			name: this.text('Permission: {0}').replace('{0}', tool),
			exact: true,
		});
	}

	/** Answers a tool's permission card; waits for it to come first, and to go. */
	async answerPermission(tool: string, button: 'Allow once' | 'Deny', reason?: string): Promise<void> {
		const card = await this.permission(tool);
		await card.waitFor({ timeout: 30_000 }).catch(async () => {
			throw new Error(`No permission card for ${tool}.\n${await this.describe()}`);
		});
		if (reason)
			await this.write(card.getByRole('textbox', { name: this.text('Reason (optional)'), exact: true }), reason);
		await card.getByRole('button', { name: this.text(button), exact: true }).click();
		await card.waitFor({ state: 'detached' });
	}

	/** What a screen reader would find in the panel: for messages about failures. */
	async describe(): Promise<string> {
		const frame = await this.panel(1_000).catch(() => undefined);
		const tree = await frame
			?.locator('body')
			.ariaSnapshot({ timeout: 3_000 })
			.catch((error: Error) => error.message);
		return tree ? `The panel:\n${tree}` : 'There is no panel.';
	}

	/** Runs a command of the palette by its title in this page's language or, one of ours, in English. */
	async runCommand(title: string): Promise<void> {
		const own = this.#titles.get(title) ?? title;
		await this.#pickCommand(own, `>${own}`, (label) => label === own);
	}

	/** Shows the panel by VS Code's own command of the view, in whose title the view's name is localised. */
	async focusPanel(): Promise<void> {
		const isIt = (label: string) => /^Loopwright: Focus on .+ View$/.test(label);
		await this.#pickCommand('Focus on … View', '>Loopwright: Focus on View', isIt);
	}

	/** The palette goes when something else takes the focus, as a terminal that opens: then it is opened once more. */
	async #pickCommand(what: string, words: string, matches: (label: string) => boolean): Promise<void> {
		await this.#openQuickInput('F1', words);
		if (
			await this.#pickRow(what, matches, 5_000).then(
				() => true,
				() => false,
			)
		)
			return;
		await this.#openQuickInput('F1', words);
		await this.#pickRow(what, matches);
	}

	/** Opens a file of the workspace in the editor by its path from the workspace's root. */
	async openFile(file: string): Promise<void> {
		const name = path.posix.basename(file);
		const found = await poll(10_000, async () => {
			await this.#openQuickInput('ControlOrMeta+P', file);
			// Opened anew for a file that is new: what it found is kept while the folder is being listed.
			return this.#pickRow(file, (label) => label === name, 2_000).then(
				() => true,
				() => undefined,
			);
		});
		if (!found) throw new Error(`${file} is not found.`);
		await this.page.locator(`.tab.active[data-resource-name="${name}"]`).first().waitFor();
		await this.waitForEditorFocus();
	}

	/** An editor that is opened takes the keys a while after its tab is there; a notebook, which lies above the editors, when it is drawn. */
	async waitForEditorFocus(): Promise<void> {
		const notebook = '.notebookOverlay .monaco-list-row';
		await this.page.waitForFunction(
			(drawn) => document.activeElement?.closest('.part.editor') ?? document.querySelector(drawn),
			notebook,
		);
	}

	/** One that is just closing takes a key, too, and then goes: so it counts only once it holds the words. */
	async #openQuickInput(key: string, words: string): Promise<Locator> {
		const box = this.page.locator('.quick-input-widget .quick-input-box input');
		const open = await poll(15_000, async () => {
			await this.page.keyboard.press(key);
			return box
				.waitFor({ timeout: 2_000 })
				.then(() => box.fill(words, { timeout: 2_000 }))
				.then(() => true)
				.catch(() => undefined);
		});
		if (!open) throw new Error(`${key} opened nothing.`);
		return box;
	}

	async #pickRow(what: string, matches: (label: string) => boolean, timeoutMs = 10_000): Promise<void> {
		const rows = this.page.locator('.quick-input-list .monaco-list-row');
		let labels: string[] = [];
		const picked = await poll(timeoutMs, async () => {
			labels = await rows
				.locator('.quick-input-list-row .label-name')
				.first()
				.evaluate(readLabels)
				.catch(() => []);
			const index = labels.findIndex((label) => matches(label));
			if (index < 0) return undefined;
			return rows
				.nth(index)
				.click({ timeout: 2_000 })
				.then(() => true)
				.catch(() => undefined);
		});
		if (picked) return;
		await this.page.keyboard.press('Escape');
		throw new Error(`"${what}" is not among: ${labels.slice(0, 10).join(' | ') || '(nothing)'}`);
	}

	/** Types where the cursor is in the active editor, as a person would; `line` moves it to that line's end first. */
	async typeInEditor(text: string, line?: number): Promise<void> {
		await this.page.locator('.editor-group-container.active .monaco-editor .view-lines').first().click();
		if (line !== undefined) {
			const box = await this.#openQuickInput('Control+G', `:${line}`);
			await this.page.keyboard.press('Enter');
			await box.waitFor({ state: 'hidden' });
			await this.page.keyboard.press('End');
		}
		await this.page.keyboard.type(text);
	}

	/** The lines that the active editor shows (those outside the window are not there). */
	async editorLines(): Promise<string[]> {
		const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
		return lines.evaluate((element) =>
			[...element.children]
				.map((line) => ({ top: Number.parseInt((line as HTMLElement).style.top, 10), text: line.textContent ?? '' }))
				.toSorted((a, b) => a.top - b.top)
				.map((line) => line.text.replaceAll('\u00a0', ' ')),
		);
	}

	/** `Developer: Reload Window`: the extension host starts anew; ends when the panel is back. */
	async reloadWindow(): Promise<void> {
		const before = await this.page.evaluate(() => performance.timeOrigin);
		await this.runCommand('Developer: Reload Window');
		await this.page.waitForFunction((old) => performance.timeOrigin !== old, before, { timeout: LOAD_MS });
		await this.#untilLoaded();
	}

	/** As a person reloads the page, which asks nothing of the workbench. */
	async reloadPage(): Promise<void> {
		await this.page.reload();
		await this.#untilLoaded();
	}

	async screenshot(name: string): Promise<string> {
		mkdirSync(this.#screenshots, { recursive: true });
		const file = path.join(this.#screenshots, `${name}.png`);
		await this.page.screenshot({ path: file });
		return file;
	}
}

/** Content frames of webviews; their names do not change with VS Code's version. */
function contentFrames(page: Page): Frame[] {
	return page.frames().filter((frame) => frame.url().includes('fake.html') && !frame.isDetached());
}

/** Our commands' titles in a language, by the English ones. */
function commandTitles(locale: Locale): ReadonlyMap<string, string> {
	const read = (name: string) =>
		JSON.parse(readFileSync(path.join(root, name), 'utf8')) as Readonly<Record<string, string>>;
	const english = read('package.nls.json');
	const own = locale === 'en' ? english : read(`package.nls.${locale}.json`);
	return new Map(
		Object.entries(english)
			.filter(([key]) => key.startsWith('command.'))
			.map(([key, title]) => [`Loopwright: ${title}`, `Loopwright: ${own[key] ?? title}`]),
	);
}

/** Runs in the page. False, and nothing is written, while the box has not the focus. */
function putText(box: Element, text: string): boolean {
	const isBox = box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement;
	if (!isBox || !document.hasFocus() || document.activeElement !== box) return false;
	box.value = text;
	box.setSelectionRange(text.length, text.length);
	box.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
	return true;
}

/** Runs in the page. */
function readLabels(first: Element): string[] {
	const list = first.closest('.monaco-list-rows');
	return [...(list?.querySelectorAll('.monaco-list-row') ?? [])].map(
		(row) => row.querySelector('.label-name')?.textContent?.trim() ?? '',
	);
}

/** Asks again until there is an answer, for so long. */
export async function poll<T>(timeoutMs: number, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
	const deadline = Date.now() + timeoutMs;
	do {
		const result = await attempt();
		if (result !== undefined) return result;
		await new Promise((resolve) => setTimeout(resolve, 100));
	} while (Date.now() < deadline);
	return undefined;
}
