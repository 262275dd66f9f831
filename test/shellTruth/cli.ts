// `npm run shell-truth`: is everything that a real shell starts and writes listed by the analysis of command lines? See
// docs/decisions. `--generated N`, `--system N` and `--packages N` say how many lines of a kind at most; `--seed S`; `--line
// TEXT` looks at one.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TreeSitterShellParser } from '../../src/node/shellParser/treeSitterShellParser.ts';
import { generatedLines } from './generated.ts';
import { packageScripts, systemLines } from './lines.ts';
import { judgeLines, type Report } from './judge.ts';
import { whyNot } from './sandbox.ts';

const root = path.resolve(import.meta.dirname, '../..');
const systemFolders = ['/etc', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/share', '/usr/local'];

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			generated: { type: 'string', default: '3000' },
			system: { type: 'string', default: '4000' },
			packages: { type: 'string', default: '1000' },
			seed: { type: 'string', default: '1' },
			line: { type: 'string' },
		},
	});
	const refusal = whyNot();
	if (refusal !== undefined) {
		console.log(`Nothing was run: ${refusal}.`);
		return 1;
	}
	const parser = new TreeSitterShellParser(path.join(root, 'node_modules/@vscode/tree-sitter-wasm/wasm'));
	const seed = Number(values.seed);
	if (values.line !== undefined) return tell('the line', await judgeLines([values.line], parser));
	const parse = await parser.load('bash');
	const kinds = {
		'scripts of packages': take(packageScripts(root), Number(values.packages), seed),
		'scripts of the system': take(systemLines(systemFolders, parse), Number(values.system), seed),
		generated: generatedLines(Number(values.generated), seed),
	};
	let faults = 0;
	for (const [kind, lines] of Object.entries(kinds)) faults += tell(kind, await judgeLines(lines, parser));
	return faults === 0 ? 0 : 1;
}

/** Spread over all of them, the same ones for the same seed. */
function take(lines: readonly string[], count: number, seed: number): readonly string[] {
	if (lines.length <= count) return lines;
	const step = lines.length / count;
	return Array.from({ length: count }, (_, index) => lines[Math.floor(index * step + seed) % lines.length] ?? '');
}

function tell(kind: string, report: Report): number {
	const share = (report.unclear / Math.max(1, report.lines)) * 100;
	console.log(
		`${kind}: ${report.lines} lines, ${report.active} of them did something; ` +
			`${report.started} programs started, ${report.written} files written or removed; ` +
			`${report.unclear} lines (${share.toFixed(1)} %) not understood, so asked; ${report.readOnly} only read; ` +
			`${report.faults.length} unlisted.`,
	);
	for (const { line, found } of report.faults.slice(0, 30))
		console.log(`\n${JSON.stringify(line)}\n  ${found.join('\n  ')}`);
	return report.faults.length;
}

main().then(
	(code) => {
		process.exitCode = code;
	},
	(error: unknown) => {
		console.error(error);
		process.exitCode = 1;
	},
);
