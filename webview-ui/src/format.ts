// Numbers and names for people, in the display language.
import { t } from '@vscode/l10n';
import type { ViewState } from '../../src/shared/view.ts';

/** "0.4 s", "12 s", "3 min 5 s". */
export function duration(ms: number): string {
	const seconds = Math.max(0, ms) / 1000;
	if (seconds < 10) return t('{0} s', number(seconds, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
	if (seconds < 59.5) return t('{0} s', String(Math.round(seconds)));
	const whole = Math.round(seconds);
	return t('{0} min {1} s', String(Math.floor(whole / 60)), String(whole % 60));
}

/** A long wait in words: "90 s", "5 min", "2 h 30 min"; rounded up. No line ends within it. */
export function minutes(ms: number): string {
	return minuteWords(ms).replaceAll(' ', '\u00a0');
}

function minuteWords(ms: number): string {
	const seconds = Math.ceil(Math.max(0, ms) / 1000);
	if (seconds < 120) return t('{0} s', String(seconds));
	const whole = Math.ceil(seconds / 60);
	if (whole < 60) return t('{0} min', String(whole));
	const [hours, rest] = [Math.floor(whole / 60), whole % 60];
	return rest === 0 ? t('{0} h', String(hours)) : t('{0} h {1} min', String(hours), String(rest));
}

/** "14:05", with the day when it is another one than that of `now`. Milliseconds since the epoch. */
export function clockTime(time: number, now: number): string {
	const date = new Date(time);
	const other = date.toDateString() !== new Date(now).toDateString();
	return date.toLocaleString(language(), {
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		...(other ? { month: 'short', day: 'numeric' } : {}),
	});
}

/** "1,234", in the way of the display language. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
	return new Intl.NumberFormat(language(), options).format(value);
}

/** Three digits that matter: "950", "12.3K", "1.25M"; "1.23万" in Chinese. */
export function tokens(count: number): string {
	return number(count, { notation: 'compact', maximumSignificantDigits: 3 });
}

/** "214 kB", "1.4 MB". */
export function fileSize(bytes: number): string {
	const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
	return number(value, { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** US dollars; small sums keep the digits that matter. */
export function dollars(usd: number): string {
	const digits = usd > 0 && usd < 0.1 ? 3 : 2;
	return number(usd, {
		style: 'currency',
		currency: 'USD',
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});
}

/** "75%", in the way of the display language. `share`: from 0 to 1. */
export function percent(share: number): string {
	return number(share, { style: 'percent', maximumFractionDigits: 0 });
}

/** Of the page; undefined for the browser's own. */
function language(): string | undefined {
	return (typeof document === 'undefined' ? '' : document.documentElement.lang) || undefined;
}

/** The last part of a path with either kind of slash, and what is before it. */
export function splitPath(path: string): { readonly base: string; readonly folder: string } {
	const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
	return { base: path.slice(cut + 1) || path, folder: cut > 0 ? path.slice(0, cut) : '' };
}

/** A path as people name it: without the conversation's folder when it lies in it, with the name of another one that is open. */
export function shownPath(path: string, place: Pick<ViewState, 'folder' | 'folders'> | undefined): string {
	if (!place) return path;
	const own = below(path, place.folder);
	if (own !== undefined) return own;
	for (const { path: folder, name } of place.folders) {
		const rest = below(path, folder);
		if (rest !== undefined) return `${name}${path.charAt(folder.length)}${rest}`;
	}
	return path;
}

function below(path: string, folder: string): string | undefined {
	const inside = folder !== '' && (path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
	return inside ? path.slice(folder.length + 1) : undefined;
}

/** Terminal output without its control sequences: colours, titles, and lines that were overwritten. */
export function plainOutput(output: string): string {
	return (
		output
			// oxlint-disable-next-line no-control-regex
			.replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/g, '')
			.replace(/\r\n/g, '\n')
			.replace(/^[^\n\r]*\r(?=[^\n])/gm, '')
	);
}
