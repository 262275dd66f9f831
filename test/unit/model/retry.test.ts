import assert from 'node:assert/strict';
import type { ModelFailure, ModelFailureKind } from '../../../src/core/model/failure.ts';
import { retryDelay } from '../../../src/core/model/retry.ts';

const policy = { maxRetries: 10, random: () => 0, confirmWait: () => Promise.resolve(false) };
const failure = (kind: ModelFailureKind, more: Partial<ModelFailure> = {}): ModelFailure => ({
	kind,
	message: '',
	...more,
});

suite('retry', () => {
	test('waits twice as long each time, up to 32 seconds, with up to a quarter left to chance', () => {
		const waits = Array.from({ length: 10 }, (_, index) => retryDelay(failure('overloaded'), index + 1, policy));
		assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000, 32_000]);
		assert.equal(retryDelay(failure('overloaded'), 11, policy), undefined);
		assert.equal(retryDelay(failure('overloaded'), 2, { ...policy, random: () => 0.999_999 }), 750);
	});

	test('the server’s own word wins', () => {
		assert.equal(retryDelay(failure('rate_limited', { retryAfterMs: 7000 }), 1, policy), 7000);
	});

	test('what a person must mend is not tried again', () => {
		for (const kind of [
			'authentication',
			'billing',
			'not_found',
			'invalid_request',
			'not_a_stream',
			'prompt_too_long',
		] as const) {
			assert.equal(retryDelay(failure(kind), 1, policy), undefined, kind);
		}
	});

	test('no connection is tried three times more, an untrusted certificate never', () => {
		assert.equal(retryDelay(failure('unreachable', { code: 'ECONNREFUSED' }), 3, policy), 2000);
		assert.equal(retryDelay(failure('unreachable', { code: 'ECONNREFUSED' }), 4, policy), undefined);
		assert.equal(retryDelay(failure('unreachable', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), 1, policy), undefined);
	});
});
