// Finds words for people that no translation can reach: in the manifest, in what the host gives to VS Code, in the panel's JSX.
// Rule: one readable line per finding; names of products are no words.
import { parseSync, Visitor } from 'oxc-parser';

/** Written the same in every language: products, formats, and ids with a dot. */
const names = /^(Loopwright|Markdown|JSON|Claude Code|mermaid|[a-z]+(\.[a-zA-Z]+)+)$/;
/** A codicon in a label. */
const icon = /\$\([\w~-]+\)/g;
const letters = /\p{L}{2,}/u;

function isWords(text: string): boolean {
	const words = text.replaceAll(icon, '').trim();
	return letters.test(words) && !names.test(words);
}

/** Keys of the manifest whose values people read. */
const manifestKeys =
	/^(title|shortTitle|label|name|description|markdownDescription|deprecationMessage|markdownDeprecationMessage|altText|placeholder|contextualTitle|enumDescriptions|markdownEnumDescriptions|enumItemLabels)$/;

/** `contributes` and `capabilities` of a package.json: values that are no `%key%`. */
export function manifestFindings(value: unknown, place = 'package.json'): readonly string[] {
	if (Array.isArray(value)) return value.flatMap((item, at) => manifestFindings(item, `${place}[${at}]`));
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => {
		const here = `${place}.${key}`;
		const texts = manifestKeys.test(key) ? [inner].flat().filter((text) => typeof text === 'string') : [];
		const found = texts.filter((text) => isWords(text) && !/^%[\w.]+%$/.test(text));
		return [...found.map((text) => `${here}: "${text}"`), ...manifestFindings(inner, here)];
	});
}

const spokenAttributes =
	/^(aria-label|aria-description|aria-valuetext|aria-roledescription|title|placeholder|alt|label)$/;
const spokenProperties =
	/^(title|label|detail|description|placeHolder|prompt|tooltip|saveLabel|openLabel|validationMessage|contextValueLabel)$/;
const spokenCalls = /^(show(Information|Warning|Error)Message|setStatusBarMessage|createStatusBarItem|setBadge)$/;

/** A source file: text and attributes of JSX; in `host`, also what is handed to VS Code to be shown. */
export function sourceFindings(file: string, source: string, { host }: { readonly host: boolean }): readonly string[] {
	const found: string[] = [];
	const report = (start: number, text: string) => {
		const line = source.slice(0, start).split('\n').length;
		if (isWords(text)) found.push(`${file}:${line} "${text.trim()}"`);
	};
	const literal = (node: { type: string; start: number; value?: unknown; quasis?: unknown } | null | undefined) => {
		if (node?.type === 'Literal' && typeof node.value === 'string') report(node.start, node.value);
		if (node?.type !== 'TemplateLiteral') return;
		for (const { value } of node.quasis as readonly { value: { cooked?: string } }[])
			report(node.start, value.cooked ?? '');
	};
	new Visitor({
		JSXText: ({ start, value }) => report(start, value),
		JSXAttribute({ name, value }) {
			if (name.type !== 'JSXIdentifier' || !spokenAttributes.test(name.name)) return;
			literal(value?.type === 'JSXExpressionContainer' ? value.expression : value);
		},
		Property({ key, value }) {
			if (host && key.type === 'Identifier' && spokenProperties.test(key.name)) literal(value);
		},
		CallExpression({ callee, arguments: given }) {
			if (!host || callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
			if (spokenCalls.test(callee.property.name)) for (const argument of given) literal(argument);
		},
	}).visit(parseSync(file, source).program);
	return found;
}
