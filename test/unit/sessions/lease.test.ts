// One writer per session, between real processes: opened at the same moment, killed while they hold it, left over from an earlier
// start of the machine.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { leaseHolder, takeLease } from '../../../src/node/sessions/lease.ts';
import { livenessOf, thisProcess } from '../../../src/node/sessions/processIdentity.ts';
import { SessionStore } from '../../../src/node/sessions/sessionStore.ts';

const here = path.dirname(fileURLToPath(import.meta.url));

suite('lease', function () {
	this.timeout(60_000);
	let base: string;
	let folder: string;
	let script: string;
	const children: ChildProcess[] = [];
	suiteSetup(() => {
		base = mkdtempSync(path.join(tmpdir(), 'lw-lease-'));
		script = path.join(base, 'leaseProcess.cjs');
		buildSync({ entryPoints: [path.join(here, 'leaseProcess.ts')], outfile: script, bundle: true, platform: 'node' });
	});
	suiteTeardown(() => rmSync(base, { recursive: true, force: true }));
	setup(() => {
		folder = mkdtempSync(path.join(base, 's-'));
	});
	teardown(() => {
		for (const child of children.splice(0)) child.kill('SIGKILL');
	});

	function start(how: string, name = 'p'): { readonly child: ChildProcess; readonly line: Promise<string> } {
		const child = spawn(process.execPath, [script, folder, path.join(folder, 'log'), how, name], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		children.push(child);
		let text = '';
		const line = new Promise<string>((resolve) => {
			child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
				text += piece;
				if (text.includes('\n')) resolve(text.trim());
			});
			child.once('close', () => resolve(text.trim()));
		});
		return { child, line };
	}
	const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('close', () => resolve()));
	const held = () => {
		const outcome = takeLease(folder);
		assert.equal(outcome.kind, 'held');
		return outcome.kind === 'held' ? outcome.lease : assert.fail();
	};

	test('taken, seen by others, given back, taken again', () => {
		const lease = held();
		const other = takeLease(folder);
		assert.equal(other.kind, 'taken');
		assert.equal(leaseHolder(folder)?.pid, process.pid);
		lease.release();
		assert.equal(leaseHolder(folder), undefined);
		held().release();
		assert.equal(readdirSync(folder).filter((name) => name.startsWith('lease-')).length, 1);
	});

	test('a process that is killed holds nothing', async () => {
		const { child, line } = start('hold');
		assert.equal(await line, 'held');
		assert.equal(takeLease(folder).kind, 'taken');
		child.kill('SIGKILL');
		await ended(child);
		held().release();
	});

	test('many processes at once, again and again: never two at the same time', async () => {
		for (let round = 0; round < 3; round++) {
			const all = Array.from({ length: 6 }, (_, index) => start('60', `p${round}${index}`));
			const counts = (await Promise.all(all.map(({ line }) => line))).map(Number);
			const lines = readFileSync(path.join(folder, 'log'), 'utf8').trim().split('\n');
			rmSync(path.join(folder, 'log'));
			assert.equal(
				lines.length,
				counts.reduce((sum, count) => sum + count * 5, 0),
			);
			for (let at = 0; at < lines.length; at += 5) {
				const [name, turn] = (lines[at] ?? '').split(' ');
				const expected = [0, 1, 2, 3, 4].map((line) => `${name} ${turn} ${line}`);
				assert.deepEqual(lines.slice(at, at + 5), expected, 'lines of two holders between one another');
			}
		}
	});

	test('many find a lease whose process died: exactly one gets it', async () => {
		const dead = start('hold');
		await dead.line;
		dead.child.kill('SIGKILL');
		await ended(dead.child);
		const all = Array.from({ length: 8 }, () => start('hold'));
		const outcomes = await Promise.all(all.map(({ line }) => line));
		assert.deepEqual(outcomes.toSorted(), ['held', ...Array.from({ length: 7 }, () => 'taken')]);
	});

	test('one of an earlier start of the machine, or of a process whose id is used again, counts for nothing', () => {
		const self = thisProcess();
		if (self.boot === '') return;
		for (const other of [
			{ ...self, boot: 'another' },
			{ ...self, start: '1' },
		]) {
			const lease = held();
			lease.release();
			const [name = ''] = readdirSync(folder).filter((file) => file.startsWith('lease-'));
			writeFileSync(path.join(folder, name), JSON.stringify({ ...other, nonce: 'x' }));
			held().release();
		}
	});

	test('one of another machine counts while it gives signs, by the clock of the disk', () => {
		const other = { ...thisProcess(), host: 'elsewhere', nonce: 'x' };
		const file = path.join(folder, 'lease-7.json');
		writeFileSync(file, JSON.stringify(other));
		assert.equal(livenessOf(other), 'unknown');
		assert.equal(takeLease(folder).kind, 'taken');
		const past = Date.now() / 1000 - 3600;
		utimesSync(file, past, past);
		held().release();
		assert.ok(existsSync(path.join(folder, 'lease-8.json')));
	});

	test('one that was made and not written: of the moment it counts, of a while ago not', () => {
		const file = path.join(folder, 'lease-1.json');
		writeFileSync(file, '');
		assert.equal(takeLease(folder).kind, 'taken');
		const past = Date.now() / 1000 - 60;
		utimesSync(file, past, past);
		held().release();
	});

	test('a session that is open elsewhere can be read and copied, not written', async () => {
		const home = path.join(folder, 'home');
		mkdirSync(home);
		const store = new SessionStore(home);
		const cwd = '/w';
		const first = await store.create({ cwd, sessionId: 's' });
		await first.journal.append({ type: 'session', version: 1, sessionId: 's', cwd, app: '0' });
		const second = await store.open(cwd, 's');
		assert.equal(second?.openElsewhere, true);
		assert.equal(second.entries.length, 1);
		await assert.rejects(second.journal.append({ type: 'mode', mode: 'plan' }), /open elsewhere/);
		await store.copy(cwd, 's', 'copy');
		const copy = await store.open(cwd, 'copy');
		assert.equal(copy?.openElsewhere, false);
		await copy.journal.append({ type: 'mode', mode: 'plan' });
		await copy.journal.close();
		await second.journal.close();
		await first.journal.close();
		const third = await store.open(cwd, 's');
		assert.equal(third?.openElsewhere, false);
		await third.journal.close();
	});
});
