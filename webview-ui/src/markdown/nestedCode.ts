// Code inside of lists and quotes is part of their HTML. Its buttons are written with it and do what those of a block of its own do.
import { t } from '@vscode/l10n';
import type { ToHost } from '../../../src/shared/protocol.ts';
import { anchor } from './anchor.ts';
import { escapeHtml } from './escapeHtml.ts';
import type { Fence } from './fence.ts';
import { highlighted } from './highlight.ts';

const languageClass = 'language-';
const copiedMs = 1500;

/** HTML. */
export function nestedCode({ code, language, path }: Fence & { readonly code: string }): string {
	const label =
		path === undefined
			? `<span>${escapeHtml(language)}</span>`
			: anchor({ kind: 'file', path, line: undefined }, escapeHtml(path));
	const apply = path === undefined ? t('Propose as a change of the open file') : t('Propose as a change of {0}', path);
	return (
		`<div class="code"><div class="code-head">${label}<span class="spring"></span>` +
		button('code-action apply', 'diff', t('Apply…'), apply) +
		button('code-action insert', 'insert', t('Insert at cursor')) +
		button('code-action open', 'new-file', t('Open as file')) +
		`${button('copy', 'copy', t('Copy'))}</div>` +
		`<pre tabindex="0"><code class="${languageClass}${escapeHtml(language)}">` +
		`${highlighted(code, language) ?? escapeHtml(code)}</code></pre></div>`
	);
}

function button(kind: string, icon: string, name: string, title = name): string {
	return (
		`<button type="button" class="quiet ${kind}" aria-label="${escapeHtml(name)}" title="${escapeHtml(title)}">` +
		`<span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`
	);
}

/** A click: asks the host for what a button of such code is for, and says for a moment that it was copied. */
export function onNestedCode(target: Element, send: (message: ToHost) => void): void {
	const pressed = target.closest('.block .code-head > button');
	const request = pressed && requestOf(pressed);
	if (!request) return;
	send(request);
	const icon = request.type === 'text_copied' ? pressed.querySelector('.codicon-copy') : null;
	if (!icon) return;
	icon.classList.replace('codicon-copy', 'codicon-check');
	setTimeout(() => icon.classList.replace('codicon-check', 'codicon-copy'), copiedMs);
}

function requestOf(pressed: Element): ToHost | undefined {
	const block = pressed.closest('.code');
	const code = block?.querySelector('code');
	if (!code) return undefined;
	const text = code.textContent;
	const path = block?.querySelector<HTMLElement>('.code-head > .file')?.dataset['file'];
	const named = path === undefined ? {} : { path };
	const kinds = pressed.classList;
	if (kinds.contains('copy')) return { type: 'text_copied', text };
	if (kinds.contains('insert')) return { type: 'code_inserted', text };
	if (kinds.contains('apply')) return { type: 'code_applied', text, ...named };
	return { type: 'code_opened', text, language: code.className.slice(languageClass.length), ...named };
}
