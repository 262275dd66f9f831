// Secrets are taken out of what is written, and nothing else is: properties of the masker and of masked entries.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Entry } from '../../src/core/messages/journal.ts';
import { maskEntry } from '../../src/core/messages/maskEntry.ts';
import { maskSecrets, mayHoldSecret, secretMark } from '../../src/core/util/secrets.ts';

const body = (length: number, letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789') =>
	fc.string({ unit: fc.constantFrom(...letters.split('')), minLength: length, maxLength: length + 20 });
const upper = fc.string({
	unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('')),
	minLength: 16,
	maxLength: 16,
});
/** A token, and the part of it that must not be found again. */
const secret = fc.oneof(
	body(20).map((text) => `sk-ant-api03-${text}`),
	body(36).map((text) => `ghp_${text}`),
	body(40).map((text) => `github_pat_${text}`),
	upper.map((text) => `AKIA${text}`),
	body(24).map((text) => `xoxb-1234567890-${text}`),
	fc.tuple(body(20), body(30), body(30)).map(([head, claims, sign]) => `eyJ${head}.eyJ${claims}.${sign}`),
	body(36).map((text) => `npm_${text}`),
	body(35).map((text) => `AIza${text}`),
	body(32).map((text) => `sk-proj-${text}`),
);
const pem = body(200).map((text) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----`);
const around = fc.oneof(
	fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !mayHoldSecret(text)),
	fc.constantFrom('', ' ', '\n', '"', '=', ': ', '漢字', '(', '`'),
);
const edge = fc.constantFrom(' ', '\n', '"', '=', '(', '漢', ':', "'", ',');

suite('secret properties', () => {
	test('text without the shapes comes back as it is', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
				if (!mayHoldSecret(text)) assert.equal(maskSecrets(text), text);
			}),
			{ numRuns: 2000 },
		);
		for (const plain of [
			'const sk_size = 3; npm_package_json; ghp_; the sk-learn package; task-list-of-things',
			'AKIA is a prefix; eyJ begins many; Authorization: none',
			'https://registry/npm_config.html /home/me/sk-ant/readme.md',
			'-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
			'-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
			`sha512-${'a'.repeat(86)}==`,
			'risk-averse sk-SK locale, desk-1234567890',
		]) {
			assert.equal(maskSecrets(plain), plain);
		}
	});

	test('every shape is found wherever it stands, and its surroundings stay', () => {
		fc.assert(
			fc.property(around, edge, secret, edge, around, (before, left, token, right, after) => {
				const masked = maskSecrets(before + left + token + right + after);
				assert.equal(masked, before + left + secretMark + right + after);
			}),
			{ numRuns: 2000 },
		);
	});

	test('private keys: the whole of them, also where the end was cut off', () => {
		fc.assert(
			fc.property(pem, fc.nat(), around, (key, cut, after) => {
				const whole = maskSecrets(`a\n${key}\n${after}`);
				assert.equal(whole, `a\n-----BEGIN OPENSSH PRIVATE KEY-----${secretMark}\n${after}`);
				const begun = key.slice(0, 36 + (cut % 200));
				assert.ok(maskSecrets(begun).length <= `-----BEGIN OPENSSH PRIVATE KEY-----${secretMark}`.length);
			}),
		);
	});

	test('headers keep their name', () => {
		for (const [text, masked] of [
			['Authorization: Bearer abcdefgh12345', `Authorization: Bearer ${secretMark}`],
			['{"authorization":"Bearer abc.def-ghi_jkl"}', `{"authorization":"Bearer ${secretMark}"}`],
			["-H 'x-api-key: 0123456789'", `-H 'x-api-key: ${secretMark}'`],
			['Proxy-Authorization: Basic dXNlcjpwYXNz', `Proxy-Authorization: Basic ${secretMark}`],
			['Authorization: Bearer $TOKEN', 'Authorization: Bearer $TOKEN'],
		] as const) {
			assert.equal(maskSecrets(text), masked);
		}
	});

	test('masked again: the same; in parts that are cut at white space: the same', () => {
		const piece = fc.oneof(secret, around, edge, fc.constant('Authorization: Bearer abcdefgh12345'));
		fc.assert(
			fc.property(
				fc.array(
					fc.array(piece, { maxLength: 4 }).map((some) => some.join('')),
					{ maxLength: 6 },
				),
				(parts) => {
					const whole = maskSecrets(parts.join('\n\n\n\n\n'));
					assert.equal(maskSecrets(whole), whole);
					assert.equal(parts.map((part) => maskSecrets(part)).join('\n\n\n\n\n'), whole);
				},
			),
			{ numRuns: 2000 },
		);
	});

	test('known values, whatever they look like', () => {
		assert.equal(maskSecrets('key my-gateway-key!', ['my-gateway-key']), `key ${secretMark}!`);
		assert.equal(maskSecrets('a short one', ['short']), 'a short one');
	});

	test('entries: nothing secret is left in the words, ids and signatures stay, a call and its start are masked alike', () => {
		fc.assert(
			fc.property(secret, fc.base64String(), (token, signature) => {
				const input = { command: `echo ${token}`, data: [token], id: token };
				const entries: Entry[] = [
					{
						type: 'block',
						messageId: 'm',
						index: 0,
						model: 'x',
						block: { type: 'tool_use', id: 't', name: 'Bash', input },
					},
					{ type: 'tool_start', toolUseId: 't', name: 'Bash', input },
					{
						type: 'tool_result',
						toolUseId: 't',
						state: 'done',
						view: { kind: 'text', text: `out ${token}` },
						result: { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: token }] },
					},
					{
						type: 'user',
						message: { role: 'user', id: 'u', origin: 'prompt', content: [{ type: 'text', text: token }], time: 1 },
					},
					{ type: 'queued', id: 'q', text: token },
				];
				const [block, start, ...others] = entries.map((entry) => maskEntry(entry));
				assert.ok(!JSON.stringify([block, start, others]).includes(token));
				assert.ok(block?.type === 'block' && block.block.type === 'tool_use' && start?.type === 'tool_start');
				assert.deepEqual(block.block.input, start.input);
				const kept: Entry[] = [
					{
						type: 'block',
						messageId: token,
						index: 0,
						model: 'x',
						block: { type: 'thinking', thinking: 'plain', signature: token },
					},
					{ type: 'block', messageId: 'm', index: 0, model: 'x', block: { type: 'redacted_thinking', data: token } },
					{
						type: 'block',
						messageId: 'm',
						index: 0,
						model: 'x',
						block: { type: 'opaque', value: { encrypted: token } },
					},
					{
						type: 'block',
						messageId: 'm',
						index: 0,
						model: 'x',
						block: { type: 'thinking', thinking: 'plain', signature },
					},
					{ type: 'rewound', to: token },
				];
				for (const entry of kept) assert.equal(maskEntry(entry), entry);
			}),
		);
	});

	test('thinking that names a secret is masked and not sent again: its signature belongs to other words', () => {
		const block = { type: 'thinking', thinking: 'the key sk-ant-api03-abcdefghijk', signature: 'c2ln' } as const;
		const masked = maskEntry({ type: 'block', messageId: 'm', index: 0, model: 'x', block });
		assert.deepEqual(masked.type === 'block' && masked.block, {
			...block,
			thinking: `the key ${secretMark}`,
			signature: '',
		});
	});
});
