// The crash test as a program, started by scripts/crash-sessions.mjs: `--kills N --seed S`.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildHeadless } from '../unit/headless/support.ts';
import { crash } from './crashes.ts';

const { values } = parseArgs({
	options: { kills: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});

void main().then((code) => {
	process.exitCode = code;
});

async function main(): Promise<number> {
	const tell = (line: string) => void process.stdout.write(`${line}\n`);
	const order = { kills: Number(values.kills), seed: Number(values.seed), tell };
	const problems = await crash({ script: buildHeadless(), ...order });
	for (const problem of problems) tell(problem);
	tell(problems.length === 0 ? `${values.kills} kills: nothing lost, nothing twice` : 'It failed.');
	return problems.length === 0 ? 0 : 1;
}
