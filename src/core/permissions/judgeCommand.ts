// May this command run? Every sub-command must be allowed and every file that it touches; one that is not decides for all.
// Contract: what is not understood is asked about, whatever rules and modes allow, short of a rule that names the line to
// the letter, and of bypass.
import type { FileUse, ShellCommand } from './shellAnalysis.ts';
import type { CommandFacts } from './commandFacts.ts';
import { isNowhere, placeOf, placesOfUse, readsUnnamed } from './commandPlaces.ts';
import { allowsCommand, allowsExactly } from './commandRules.ts';
import { criticalRemoval } from './criticalRemoval.ts';
import { askHook, askProtected, askSecret, isSecretPlace, outside, pathAllowed } from './judgeFile.ts';
import { hasUnsafeAssignment, isPassedThrough } from './launchers.ts';
import type { Place } from './places.ts';
import { isInWorkspace } from './places.ts';
import { isProtected, isProtectedFromCommands } from './protectedPaths.ts';
import type { PlacedQuery } from './query.ts';
import type { Rule } from './rule.ts';
import { suggestCommands, suggestPath } from './suggestRule.ts';
import type { Verdict } from './verdict.ts';
import { allow, ask, deny } from './verdict.ts';

/** True when the line provably changes nothing, so that plan mode lets it through. */
export function changesNothing({ analysis }: CommandFacts): boolean {
	return analysis.readOnly && analysis.unclear.length === 0 && analysis.writes.every(isNowhere);
}

export function judgeCommand(query: PlacedQuery, facts: CommandFacts): Verdict {
	const { mode, places, hook } = query;
	const critical = criticalRemoval(facts, places);
	if (critical !== undefined) {
		return ask(query, { code: 'critical_path', args: { path: critical } }, { part: critical, danger: 'critical_path' });
	}
	const secret = firstSecret(query, facts);
	if (secret !== undefined) return askSecret(query, secret);
	if (query.trusted === false) return deny({ code: 'untrusted' });
	const [unclear] = facts.analysis.unclear;
	if (mode === 'bypassPermissions') {
		// What cannot be read could be what a rule forbids.
		const ruled = [...query.rules.deny, ...query.rules.ask].some(
			(rule) => rule.specifier.kind === 'command' || rule.paths,
		);
		return unclear !== undefined && ruled ? askUnclear(query, unclear.text) : allow();
	}
	const guarded = firstProtected(query, facts);
	if (guarded !== undefined) return askProtected(query, guarded);
	if (hook?.behavior === 'allow') return allow();
	if (hook?.behavior === 'ask') return askHook(query);
	const exact = query.rules.allow.find((rule) => isFor(query, rule) && allowsExactly(rule, facts.text));
	if (exact !== undefined) return allow({ rule: exact });
	if (unclear !== undefined) return askUnclear(query, unclear.text);
	return judgeParts(query, facts);
}

function askUnclear(query: PlacedQuery, text: string): Verdict {
	return ask(query, { code: 'unclear', args: { part: text } }, { part: text });
}

function isFor({ tool }: PlacedQuery, rule: Rule): boolean {
	return rule.tool === tool || (rule.tool === 'Bash' && tool === 'Monitor');
}

/** By what a sub-command may run: a rule, the mode, or because it only reads. */
type Cover = Rule | 'mode' | 'reads' | undefined;

function judgeParts(query: PlacedQuery, facts: CommandFacts): Verdict {
	const { analysis } = facts;
	const whole = query.rules.allow.find((rule) => isFor(query, rule) && rule.specifier.kind === 'any');
	const covers = new Map(analysis.commands.map((command) => [command, whole ?? coverOf(query, command)] as const));
	const open = analysis.commands.filter((command) => covers.get(command) === undefined);
	const [first] = open;
	const touched = whole === undefined ? firstOpenFile(query, facts, covers) : undefined;
	if (touched !== undefined && 'unknown' in touched) return askUnclear(query, touched.unknown);
	if (first !== undefined || touched !== undefined) {
		if (touched?.away === true) {
			const suggested = open.length === 0 ? suggestPath(touched.tool, touched.place, query.places) : [];
			return ask(query, outside(touched.place), { part: touched.place.real, danger: 'outside_workspace', suggested });
		}
		const part = first?.text ?? touched?.place.real ?? facts.text;
		const suggested = suggestedFor(query, open, touched);
		return ask(query, { code: 'not_read_only', args: { part } }, { part, suggested });
	}
	if (
		(hidesReads(query, facts) || movesBeforeGit(facts)) &&
		whole === undefined &&
		[...covers.values()].includes('reads')
	) {
		return ask(query, { code: 'not_read_only', args: { part: facts.text } }, { part: facts.text });
	}
	const rule = whole ?? [...covers.values()].find((cover) => typeof cover === 'object');
	return rule === undefined ? allow() : allow({ rule });
}

/** For a file that is written by redirection, a rule on the file; no list of both kinds. */
function suggestedFor(
	query: PlacedQuery,
	open: readonly ShellCommand[],
	touched: OpenFile | undefined,
): readonly string[] {
	if (touched === undefined || !touched.redirected) return suggestCommands(query.tool, open);
	return open.length === 0 ? suggestPath(touched.tool, touched.place, query.places) : [];
}

function coverOf(query: PlacedQuery, command: ShellCommand): Cover {
	const { mode, rules } = query;
	const rule = rules.allow.find((found) => isFor(query, found) && allowsCommand(found, command));
	if (rule !== undefined) return rule;
	if (command.readOnly === true) return 'reads';
	return mode === 'acceptEdits' && isFileCommand(command) ? 'mode' : undefined;
}

const fileCommands = new Set('mkdir touch rm rmdir mv cp sed'.split(' '));

/** Commands that `acceptEdits` lets through, where all they touch lies inside. */
function isFileCommand(command: ShellCommand): boolean {
	const name = command.words[0]?.value ?? '';
	if (!fileCommands.has(name) || hasUnsafeAssignment(command)) return false;
	if (!command.wrappers.every((wrapper) => isPassedThrough(wrapper) && wrapper !== 'xargs')) return false;
	return command.words.every((word) => word.value !== undefined);
}

interface OpenFile {
	readonly place: Place;
	readonly away: boolean;
	readonly redirected: boolean;
	readonly tool: 'Read' | 'Edit';
}

/** Which file it is shows only when the command runs. */
interface UnknownFile {
	readonly unknown: string;
}

/** The first file that is touched without leave. What a rule allows a command to do inside, it may do with files there. */
function firstOpenFile(
	query: PlacedQuery,
	{ analysis }: CommandFacts,
	covers: ReadonlyMap<ShellCommand, Cover>,
): OpenFile | UnknownFile | undefined {
	const { mode, places } = query;
	const coverOfUse = (use: FileUse) => {
		const own = [...covers].filter(([command]) => command.text === use.command).map(([, cover]) => cover);
		return own.length > 0 && own.every((cover) => typeof cover === 'object');
	};
	for (const [use, tool] of usesOf(analysis)) {
		const redirected = use.by === 'redirection';
		const found = placesOfUse(use, places);
		if (found.length === 0 && !coverOfUse(use)) return { unknown: use.text };
		for (const place of found) {
			const away = !isInWorkspace(places, place);
			if (tool === 'Read' && !away) continue;
			if (tool === 'Edit' && !away && mode === 'acceptEdits') continue;
			if (pathAllowed(query, tool, place) !== undefined) continue;
			if (!redirected && coverOfUse(use) && (tool === 'Read' || !away)) continue;
			return { place, away, redirected, tool };
		}
	}
	const start = places.cwd;
	const reads = [...covers].some(([, cover]) => cover === 'reads');
	return reads && !isInWorkspace(places, start)
		? { place: start, away: true, redirected: false, tool: 'Read' }
		: undefined;
}

function usesOf({ reads, writes }: CommandFacts['analysis']): readonly (readonly [FileUse, 'Read' | 'Edit'])[] {
	const written = writes.filter((use) => !isNowhere(use)).map((use) => [use, 'Edit'] as const);
	return [...written, ...reads.filter((use) => !isNowhere(use)).map((use) => [use, 'Read'] as const)];
}

/** A secret that the command names in whatever way, or that lies in a folder whose files it reads. */
function firstSecret({ secrets, places }: PlacedQuery, { mentions, secretsBelow }: CommandFacts): Place | undefined {
	const named = mentions.map(({ path }) => placeOf(places, path)).find((place) => isSecretPlace(secrets, place));
	return named ?? secretsBelow[0];
}

function firstProtected(query: PlacedQuery, { analysis, mentions }: CommandFacts): Place | undefined {
	const { places } = query;
	const written = [
		...analysis.writes.filter((use) => !isNowhere(use)).flatMap((use) => placesOfUse(use, places)),
		...mentions.filter((mention) => mention.written).map(({ path }) => placeOf(places, path)),
	];
	return written.find((place) => isProtected(places, place) || isProtectedFromCommands(place));
}

/** git runs what the folder it is in tells it to: not in one that the same line has gone to. */
function movesBeforeGit({ analysis }: CommandFacts): boolean {
	const names = analysis.commands.map(({ words }) => words[0]?.value);
	return names.includes('git') && (names.includes('cd') || names.includes('pushd'));
}

/** A command that reads whole folders could show what a path rule forbids. */
function hidesReads({ rules }: PlacedQuery, { analysis }: CommandFacts): boolean {
	const recursive = analysis.reads.some(readsUnnamed);
	return recursive && [...rules.deny, ...rules.ask].some((rule) => rule.paths !== undefined && rule.tool === 'Read');
}
