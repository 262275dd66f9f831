// Turns and mirrors an image as its camera says (EXIF's orientation, 1 to 8), so that it stands upright without that note. Pure.
export interface Pixels {
	/** Four bytes each, row by row. */
	readonly data: Uint8Array;
	readonly width: number;
	readonly height: number;
}

/** From which pixel of the source each one of the result comes; 5 to 8 change the sides. */
export function turned({ data, width, height }: Pixels, turn: number): Pixels {
	if (turn < 2 || turn > 8) return { data, width, height };
	const sideways = turn >= 5;
	const [newWidth, newHeight] = sideways ? [height, width] : [width, height];
	const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
	const to = new Uint32Array(width * height);
	for (let y = 0; y < newHeight; y += 1) {
		for (let x = 0; x < newWidth; x += 1) {
			const [u, v] = sideways ? [y, x] : [x, y];
			const column = [2, 3, 7, 8].includes(turn) ? width - 1 - u : u;
			const row = [3, 4, 6, 7].includes(turn) ? height - 1 - v : v;
			to[y * newWidth + x] = from[row * width + column] ?? 0;
		}
	}
	return { data: new Uint8Array(to.buffer), width: newWidth, height: newHeight };
}
