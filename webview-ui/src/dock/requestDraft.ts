// What the person has begun to write into a request, kept by the page: it outlives a reload and another card in between.
import { useState } from 'preact/hooks';
import { usePanel } from '../panelContext.ts';
import type { RequestDraft } from '../vscodeApi.ts';

/** Requests whose drafts are kept; the oldest go first. */
const keptDrafts = 20;

export function useRequestDraft(requestId: string): [RequestDraft, (change: Partial<RequestDraft>) => void] {
	const { bridge } = usePanel();
	const [draft, setDraft] = useState<RequestDraft>(() => bridge.kept().requests[requestId] ?? { reason: '' });
	const change = (fields: Partial<RequestDraft>) => {
		const next = { ...draft, ...fields };
		setDraft(next);
		const others = Object.entries(bridge.kept().requests).filter(([id]) => id !== requestId);
		bridge.keep({ requests: Object.fromEntries([...others.slice(1 - keptDrafts), [requestId, next]]) });
	};
	return [draft, change];
}
