// Keys of the composer, with input methods: exactly one send, on the Enter that is not the input method's.
import assert from 'node:assert/strict';
import { composerAction, isImeKey, menuMove, withInserted } from '../../../webview-ui/src/dock/composerKeys.ts';

const press = {
	key: 'Enter',
	keyCode: 13,
	isComposing: false,
	shiftKey: false,
	altKey: false,
	ctrlKey: false,
	metaKey: false,
};

suite('composer keys', () => {
	test('Enter sends, also while the agent works; Shift+Enter breaks the line', () => {
		assert.equal(composerAction(press, false, 'enter'), 'send');
		assert.equal(composerAction(press, true, 'enter'), 'send');
		assert.equal(composerAction({ ...press, ctrlKey: true }, false, 'enter'), 'send');
		assert.equal(composerAction({ ...press, shiftKey: true }, false, 'enter'), 'none');
		assert.equal(composerAction({ ...press, altKey: true }, false, 'enter'), 'none');
	});

	test('where Ctrl+Enter sends, Enter alone breaks the line', () => {
		assert.equal(composerAction(press, true, 'ctrlEnter'), 'none');
		assert.equal(composerAction({ ...press, ctrlKey: true }, false, 'ctrlEnter'), 'send');
		assert.equal(composerAction({ ...press, metaKey: true }, true, 'ctrlEnter'), 'send');
	});

	test('while it works two keys choose the way for one message', () => {
		for (const sendWith of ['enter', 'ctrlEnter'] as const) {
			assert.equal(composerAction({ ...press, altKey: true }, true, sendWith), 'queue');
			assert.equal(composerAction({ ...press, ctrlKey: true, shiftKey: true }, true, sendWith), 'now');
			assert.equal(composerAction({ ...press, shiftKey: true }, true, sendWith), 'none');
		}
	});

	test('an input method keeps its Enter, in both orders of events', () => {
		const keys = [{ ...press, isComposing: true, keyCode: 229 }, { ...press, keyCode: 229 }, press];
		for (const held of [{}, { ctrlKey: true }, { altKey: true }]) {
			assert.deepEqual(
				keys.slice(0, 2).map((key) => composerAction({ ...key, ...held }, true, 'ctrlEnter')),
				['none', 'none'],
			);
		}
		assert.deepEqual(
			keys.map((key) => composerAction(key, false, 'enter')),
			['none', 'none', 'send'],
		);
	});

	test('Esc stops only what works, and never while composing', () => {
		const escape = { ...press, key: 'Escape', keyCode: 27 };
		assert.equal(composerAction(escape, true, 'enter'), 'stop');
		assert.equal(composerAction(escape, false, 'enter'), 'none');
		assert.equal(composerAction({ ...escape, isComposing: true }, true, 'enter'), 'none');
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
