// The bench's model service: node:http in a process of its own, prepared answers, nothing checked, nothing parsed. It keeps
// the times at which requests came and answers ended; one clock (monotonic, system-wide) serves all processes.
import { createServer } from 'node:http';
import process from 'node:process';
import { answerFor } from './answers.mjs';

const now = () => Number(process.hrtime.bigint()) / 1e6;

let scenario = '';
let folder = '';
/** @typedef {{ begun: number, arrived: number, ended: number, bytes: number }} Turn */
/** @type {Turn[]} */
let turns = [];

const server = createServer((request, response) => {
	const turn = { begun: now(), arrived: 0, ended: 0, bytes: 0 };
	request.on('data', (chunk) => {
		turn.bytes += chunk.length;
	});
	request.on('end', () => {
		turn.arrived = now();
		void answer(turns.push(turn) - 1, turn, response);
	});
});
server.keepAliveTimeout = 60_000;

/** @param {number} index @param {Turn} turn @param {import('node:http').ServerResponse} response */
async function answer(index, turn, response) {
	response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': `req_${index}` });
	for (const part of answerFor(scenario, index, { folder, promptBytes: turn.bytes })) {
		if (typeof part === 'number') await new Promise((resolve) => setTimeout(resolve, part));
		else await send(part, response);
	}
	turn.ended = now();
	response.end();
}

/**
 * Each event as a chunk of its own, as the real service sends them; several in one write of the socket.
 * @param {readonly string[]} events @param {import('node:http').ServerResponse} response
 */
async function send(events, response) {
	let waits = false;
	response.cork();
	for (const event of events) waits = !response.write(event);
	response.uncork();
	if (waits) await new Promise((resolve) => response.once('drain', resolve));
}

process.on('message', (/** @type {{ kind: string, scenario: string, folder: string }} */ message) => {
	if (message.kind === 'begin') {
		({ scenario, folder } = message);
		turns = [];
		process.send?.({ kind: 'ready' });
	} else process.send?.({ kind: 'turns', turns });
});
process.on('disconnect', () => process.exit());

server.listen(0, '127.0.0.1', () => {
	const address = server.address();
	process.send?.({ kind: 'listening', url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` });
});
