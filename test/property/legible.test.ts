// Colours of texts: what can be read stays as it is, what cannot is moved no further than it takes.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { contrast, legible, opposite, seen, type Colour } from '../../webview-ui/src/legible.ts';

const part = fc.integer({ min: 0, max: 255 }).map((value) => value / 255);
const anyColour: fc.Arbitrary<Colour> = fc.tuple(part, part, part);
/** As a theme and what is mixed of it give them: all of them rather dark, or all of them rather light. */
const anyGrounds = fc
	.tuple(fc.constantFrom(0, 1), fc.array(fc.tuple(part, part, part), { minLength: 1, maxLength: 4 }))
	.map(([base, all]) => all.map(([r, g, b]): Colour => [near(base, r), near(base, g), near(base, b)]));
const near = (base: number, value: number) => (base === 0 ? value * 0.2 : 1 - value * 0.2);

suite('legible colours', () => {
	test('each can be read on all of its grounds, and stays as it is where it could be', () => {
		fc.assert(
			fc.property(anyColour, anyColour, anyGrounds, (given, colour, grounds) => {
				const text = legible(given, opposite(grounds), grounds);
				const made = legible(colour, text, grounds);
				for (const ground of grounds) {
					assert.ok(contrast(text, ground) >= 4.5);
					assert.ok(contrast(made, ground) >= 4.5);
				}
				if (grounds.every((ground) => contrast(colour, ground) >= 4.6)) assert.deepEqual(made, colour);
			}),
		);
	});

	test("the white of VS Code's own buttons stays white", () => {
		const [white, blue]: readonly Colour[] = [
			[1, 1, 1],
			[0, 0x78 / 255, 0xd4 / 255],
		];
		assert.ok(white && blue);
		assert.deepEqual(legible(white, opposite([blue]), [blue]), white);
	});

	test('contrast is that of WCAG, and colours are read as browsers write them', () => {
		assert.equal(contrast([0, 0, 0], [1, 1, 1]), 21);
		assert.equal(contrast([0x76 / 255, 0x76 / 255, 0x76 / 255], [1, 1, 1]).toFixed(2), '4.54');
		const ground: Colour = [1, 1, 1];
		assert.deepEqual(seen('rgb(255, 0, 51)', ground), [1, 0, 0.2]);
		assert.deepEqual(seen('rgba(0, 0, 0, 0.5)', ground), [0.5, 0.5, 0.5]);
		assert.deepEqual(seen('color(srgb 0.25 0.5 1)', ground), [0.25, 0.5, 1]);
		assert.deepEqual(seen('color(srgb 0 0 0 / 0)', ground), [1, 1, 1]);
	});
});
