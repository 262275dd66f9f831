// Finds words for people that no translation can reach: in the manifest, in what the host gives to VS Code, in the panel's JSX.
// Rule: one readable line per finding; names of products are no words.
import { parseSync, Visitor, type Expression } from 'oxc-parser';

/** Written the same in every language: products, formats, how a key begins, and ids with a dot. */
const names = /^(Loopwright|Markdown|JSON|Claude Code|mermaid|sk-ant-…|[a-z]+(\.[a-zA-Z]+)+)$/;
/** A codicon in a label. */
const icon = /\$\([\w~-]+\)/g;
const letters = /\p{L}{2,}/u;

function isWords(text: string): boolean {
	const words = text.replaceAll(icon, '').trim();
	return letters.test(words) && !names.test(words);
}

/** Keys of the manifest whose values people read. */
const manifestKeys =
	/^(title|shortTitle|label|name|description|markdownDescription|deprecationMessage|markdownDeprecationMessage|altText|placeholder|contextualTitle|contents|errorMessage|patternErrorMessage|enumDescriptions|markdownEnumDescriptions|enumItemLabels)$/;

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
	/^(aria-label|aria-description|aria-valuetext|aria-roledescription|title|placeholder|alt|label|text|hint)$/;
const spokenProperties =
	/^(title|label|detail|description|placeHolder|placeholder|prompt|tooltip|saveLabel|openLabel|validationMessage|contextValueLabel)$/;
const spokenCalls =
	/^(show(Information|Warning|Error)Message|showQuickPick|setStatusBarMessage|createStatusBarItem|setBadge)$/;

type Given = Expression | { readonly type: 'JSXExpressionContainer'; readonly expression: Given } | null | undefined;

/** A source file: text and attributes of JSX, properties by their names; in `host`, also what is handed to VS Code to be shown. */
export function sourceFindings(file: string, source: string, { host }: { readonly host: boolean }): readonly string[] {
	const found: string[] = [];
	const report = (start: number, text: string) => {
		const line = source.slice(0, start).split('\n').length;
		if (isWords(text)) found.push(`${file}:${line} "${text.trim()}"`);
	};
	/** All that a value may be in the end: what stands in a call is left to whoever is called. */
	const look = (node: Given): void => {
		if (!node) return;
		if (node.type === 'Literal' && typeof node.value === 'string') report(node.start, node.value);
		if (node.type === 'TemplateLiteral') for (const { value } of node.quasis) report(node.start, value.cooked ?? '');
		if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(look);
		if (node.type === 'LogicalExpression') [node.left, node.right].forEach(look);
		if (node.type === 'BinaryExpression' && node.operator === '+') [node.left, node.right].forEach(look);
		if (node.type === 'ArrayExpression') node.elements.forEach((one) => look(one as Given));
		if (node.type === 'JSXExpressionContainer' || node.type === 'ParenthesizedExpression') look(node.expression);
	};
	const children = ({ children: all }: { readonly children: readonly { readonly type: string }[] }) => {
		for (const child of all) if (child.type === 'JSXExpressionContainer') look(child as Given);
	};
	new Visitor({
		JSXText: ({ start, value }) => report(start, value),
		JSXElement: children,
		JSXFragment: children,
		JSXAttribute({ name, value }) {
			if (name.type === 'JSXIdentifier' && spokenAttributes.test(name.name)) look(value as Given);
		},
		Property({ key, value }) {
			if (key.type === 'Identifier' && spokenProperties.test(key.name)) look(value as Given);
		},
		AssignmentExpression({ left, right }) {
			if (left.type !== 'MemberExpression' || left.property.type !== 'Identifier') return;
			if (spokenProperties.test(left.property.name)) look(right);
		},
		CallExpression({ callee, arguments: given }) {
			if (!host || callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
			if (spokenCalls.test(callee.property.name)) for (const argument of given) look(argument as Given);
		},
	}).visit(parseSync(file, source).program);
	return found;
}
