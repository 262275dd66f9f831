// Keys of the composer, with input methods: exactly one send, on the Enter that is not the input method's.
import assert from 'node:assert/strict';
import { composerAction, isImeKey, menuMove, withInserted } from '../../../webview-ui/src/dock/composerKeys.ts';

const press = { key: 'Enter', keyCode: 13, isComposing: false, shiftKey: false, altKey: false };

suite('composer keys', () => {
	test('Enter sends, also while the agent works; Shift+Enter and Alt+Enter do not', () => {
		assert.equal(composerAction(press, false), 'send');
		assert.equal(composerAction(press, true), 'send');
		assert.equal(composerAction({ ...press, shiftKey: true }, false), 'none');
		assert.equal(composerAction({ ...press, altKey: true }, false), 'none');
	});

	test('an input method keeps its Enter, in both orders of events', () => {
		const keys = [{ ...press, isComposing: true, keyCode: 229 }, { ...press, keyCode: 229 }, press];
		assert.deepEqual(
			keys.map((key) => composerAction(key, false)),
			['none', 'none', 'send'],
		);
	});

	test('Esc stops only what works, and never while composing', () => {
		const escape = { ...press, key: 'Escape', keyCode: 27 };
		assert.equal(composerAction(escape, true), 'stop');
		assert.equal(composerAction(escape, false), 'none');
		assert.equal(composerAction({ ...escape, isComposing: true }, true), 'none');
		assert.equal(isImeKey({ ...escape, keyCode: 229 }), true);
	});

	test('inserted text replaces an empty draft and follows any other', () => {
		assert.equal(withInserted('  ', 'new'), 'new');
		assert.equal(withInserted('old', 'new'), 'old\nnew');
		assert.equal(withInserted('old\n', 'new'), 'old\nnew');
	});

	test('arrows go round in a menu', () => {
		assert.equal(menuMove('ArrowDown', 3, 4), 0);
		assert.equal(menuMove('ArrowUp', 0, 4), 3);
		assert.equal(menuMove('End', 0, 4), 3);
		assert.equal(menuMove('x', 0, 4), undefined);
	});
});
