// The thread that makes one image fit (`imageFitter.ts`): decoded by a wasm library, turned as its camera says, scaled down, written
// as what is smallest enough. Whatever it throws ends the thread, which says that the image is broken.
import { parentPort, workerData } from 'node:worker_threads';
import { PhotonImage, resize, SamplingFilter } from '@silvia-odwyer/photon-node';
import { imageTurn } from './imageTurn.ts';
import type { FitOrder, Fitted } from './imageFitter.ts';
import { turned } from './turnPixels.ts';
import type { Pixels } from './turnPixels.ts';

/** Of a JPEG, from the best on. */
const qualities = [88, 75, 60, 40];

function fit({ bytes, mediaType, edge, most }: FitOrder): Fitted {
	const pixels = turned(scaled(bytes, edge), imageTurn(bytes));
	const { width, height } = pixels;
	for (const { type, data } of written(pixels, mediaType)) {
		if (data.length <= most) return { kind: 'fitted', bytes: data, mediaType: type, width, height };
	}
	return { kind: 'unfit', problem: 'too_large' };
}

function scaled(bytes: Uint8Array, edge: number): Pixels {
	const whole = PhotonImage.new_from_byteslice(bytes);
	const [width, height] = [whole.get_width(), whole.get_height()];
	const scale = Math.min(1, edge / Math.max(width, height));
	const side = (length: number) => Math.max(1, Math.round(length * scale));
	const small = scale < 1 ? resize(whole, side(width), side(height), SamplingFilter.Lanczos3) : whole;
	return { data: small.get_raw_pixels(), width: small.get_width(), height: small.get_height() };
}

/** Screenshots stay sharp where they fit; everything else becomes smaller by quality, and what shines through stands on white. */
function* written(pixels: Pixels, mediaType: string): Generator<{ readonly type: string; readonly data: Uint8Array }> {
	if (mediaType !== 'image/jpeg') yield { type: 'image/png', data: imageOf(pixels).get_bytes() };
	const photo = imageOf({ ...pixels, data: onWhite(pixels.data) });
	for (const quality of qualities) yield { type: 'image/jpeg', data: photo.get_bytes_jpeg(quality) };
}

function imageOf({ data, width, height }: Pixels): PhotonImage {
	return new PhotonImage(data, width, height);
}

function onWhite(data: Uint8Array): Uint8Array {
	const solid = Uint8Array.from(data);
	for (let at = 0; at < solid.length; at += 4) {
		const alpha = solid[at + 3] ?? 255;
		if (alpha === 255) continue;
		for (let part = at; part < at + 3; part += 1) {
			solid[part] = Math.round(((solid[part] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
		}
		solid[at + 3] = 255;
	}
	return solid;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(fit(workerData as FitOrder));
