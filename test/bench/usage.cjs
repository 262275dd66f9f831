// Loaded with `--require` into the measured processes: what they used, told at their end.
const { writeFileSync } = process.getBuiltinModule('node:fs');

process.on('exit', () => {
	const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
	const file = process.env.BENCH_USAGE;
	if (file) writeFileSync(file, JSON.stringify({ cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, maxRssKb: maxRSS }));
});
