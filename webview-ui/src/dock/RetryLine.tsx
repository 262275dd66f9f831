// Why a request is made again, in one quiet line: what recovers by itself is no error.
import type { RetryView } from '../../../src/shared/view.ts';
import { retryText } from '../rows/retryWords.ts';
import { Icon } from '../Icon.tsx';

export function RetryLine({ retry }: { readonly retry: RetryView | null }) {
	if (!retry) return null;
	return (
		<p class="retry-line">
			<Icon name="sync" />
			<span>{retryText(retry)}</span>
		</p>
	);
}
