// A text box that is as high as its text; the style sheet says how far.
import { useLayoutEffect } from 'preact/hooks';
import type { RefObject } from 'preact';

/** `shown`: whatever changes its height. */
export function useGrowing(box: RefObject<HTMLTextAreaElement | null>, shown: string): void {
	useLayoutEffect(() => {
		const { current } = box;
		if (!current) return;
		const fit = () => {
			const { offsetHeight, clientHeight } = current;
			const border = offsetHeight - clientHeight;
			current.style.height = 'auto';
			current.style.height = `${current.scrollHeight + border}px`;
		};
		fit();
		const observer = new ResizeObserver(() => requestAnimationFrame(fit));
		if (current.parentElement) observer.observe(current.parentElement);
		return () => observer.disconnect();
	}, [shown]);
}
