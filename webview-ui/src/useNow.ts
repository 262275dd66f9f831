// The time of day for what counts down or names an hour.
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds since the epoch; looks at the clock every `tickMs`, or not at all without it. */
export function useNow(tickMs: number | undefined): number {
	const [now, setNow] = useState(() => Date.now());
	useEffect(() => {
		if (tickMs === undefined) return;
		setNow(Date.now());
		const timer = setInterval(() => setNow(Date.now()), tickMs);
		return () => clearInterval(timer);
	}, [tickMs]);
	return now;
}
