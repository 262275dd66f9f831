// `npm start -- --check`: one whole conversation with the demo model in a workbench that is already served:
// a search, then an edit with its permission. Arguments: address, workspace folder, locale.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { cache, messageOf } from '../../../scripts/lib/shell.mjs';
import { closeBrowser, newPage } from './browser.ts';
import { WorkbenchPage, type Locale } from './workbenchPage.ts';

const [address = '', folder = '', locale = 'en'] = process.argv.slice(2);
const chinese = locale === 'zh-cn';
const prompts = chinese
	? { search: '查找 login', edit: '把 src/util/hash.ts 里的 sha1 改成 sha256' }
	: { search: 'find login', edit: 'replace sha1 by sha256 in src/util/hash.ts' };
const screenshots = path.join(cache, 'check');

void converse().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(messageOf(error));
		process.exit(1);
	},
);

async function converse(): Promise<void> {
	rmSync(screenshots, { recursive: true, force: true });
	const { context, page } = await newPage();
	const workbench = new WorkbenchPage(page, locale as Locale, screenshots);
	try {
		await workbench.load(address);
		await workbench.waitForStatus('Ready');
		await shot(workbench, '1-ready');
		await search(workbench);
		await edit(workbench);
	} catch (error) {
		await shot(workbench, 'failed');
		throw error;
	} finally {
		await context.close();
		await closeBrowser();
	}
}

async function search(workbench: WorkbenchPage): Promise<void> {
	await workbench.ask(prompts.search);
	const answer = (await (await workbench.articles('Loopwright')).allInnerTexts()).join('\n');
	if (!answer.includes('login.ts')) throw new Error(`The answer does not say where "login" is:\n${answer}`);
	await shot(workbench, '2-found');
}

async function edit(workbench: WorkbenchPage): Promise<void> {
	await workbench.submit(prompts.edit);
	const card = await workbench.permission('Edit');
	await card.waitFor({ timeout: 30_000 }).catch(async () => {
		throw new Error(`No permission card for the edit.\n${await workbench.describe()}`);
	});
	await workbench.waitForStatus('Waiting for you');
	// The editor opens the file and draws the proposed change a moment after the card.
	await workbench.page.locator('.review-widget .comment-body').first().waitFor();
	await shot(workbench, '3-permission');
	await workbench.answerPermission('Edit', 'Allow once');
	await workbench.waitForEnd();
	await shot(workbench, '4-edited');
	const text = readFileSync(path.join(folder, 'src/util/hash.ts'), 'utf8');
	if (!text.includes("'sha256'") || text.includes("'sha1'")) throw new Error(`The file was not changed:\n${text}`);
}

async function shot(workbench: WorkbenchPage, name: string): Promise<void> {
	const file = await workbench.screenshot(name).catch(() => undefined);
	if (file) console.log(`  ${name}: ${path.relative(process.cwd(), file)}`);
}
