// One run of the headless runner, from arguments to exit status. Everything from outside comes in as `Surroundings`.
import { homedir } from 'node:os';
import type { LoopEvent } from '../core/loop/events.ts';
import type { Terminal } from '../core/loop/state.ts';
import type { Conversation } from '../core/session/engineApi.ts';
import { createConversation } from '../core/session/queryEngine.ts';
import { rulesFrom } from '../core/permissions/rule.ts';
import type { SessionSettings } from '../core/session/options.ts';
import { builtinToolsFor } from '../core/tools/builtin/builtinTools.ts';
import { demoModel } from '../core/model/models.ts';
import type { ShellParser } from '../core/ports/shellParser.ts';
import type { RecordedParts } from '../node/checkpoints/recordSession.ts';
import { newUuid } from '../node/clock.ts';
import { engineSettings } from '../node/settings/engineSettings.ts';
import { FileResultStore } from '../node/sessions/fileResultStore.ts';
import type { StorageTrouble } from '../node/sessions/fileJournal.ts';
import { SessionLibrary } from '../node/sessions/sessionLibrary.ts';
import { SessionStore } from '../node/sessions/sessionStore.ts';
import { makePorts } from './adapters.ts';
import { parseArguments, usage, type RunArguments } from './args.ts';
import type { Installation } from './installation.ts';
import { Output } from './output.ts';
import { openProvider, type Provider } from './provider.ts';
import { RunCheckpoints } from './runCheckpoints.ts';
import { openSession, type RunSession } from './session.ts';
import { troubleText } from './troubleText.ts';
import { prepareSetup, type Environment, type Setup } from './setup.ts';
import { Writer, type Streams } from './writer.ts';

export interface Surroundings extends Streams {
	readonly env: Environment;
	/** The current folder. */
	readonly here: string;
	readonly installation: Installation;
	/** The prompt on stdin; undefined when there is none. Rejects when it is too long. */
	readPrompt(): Promise<string | undefined>;
	/** Calls back once when a signal (or a closed stdout) asks to stop; at once if it has come already. */
	onStop(stop: () => void): void;
}

const success = 0;
const errorResult = 1;
const wrongUsage = 2;

/** Runs once; resolves with the exit status when everything it started is gone. */
export async function run(argv: readonly string[], around: Surroundings): Promise<number> {
	const parsed = parseArguments(argv);
	if (parsed.kind === 'help') return say(around, usage);
	if (parsed.kind === 'version') return say(around, `${around.installation.version}\n`);
	if (parsed.kind === 'wrong') return refuse(around, parsed.message);
	const { args } = parsed;
	const prepared = await prepareSetup(args, around.env, around.here);
	if (prepared.kind === 'wrong') return refuse(around, prepared.message);
	const { setup } = prepared;
	const prompt = await readPrompt(args, around);
	if (prompt.kind === 'wrong') return refuse(around, prompt.message);
	if (prompt.text === undefined && args.resume === undefined) {
		return refuse(around, 'There is no prompt. Give it with -p "…" or on stdin.');
	}
	const secrets = () => secretsOf(setup);
	const trouble = (kind: StorageTrouble, error: Error) => around.err(`loopwright: ${troubleText(kind, error)}\n`);
	const opened = await openSession(args, new SessionStore(setup.home, { secrets, trouble }), setup.cwd);
	if (opened.kind === 'wrong') return refuse(around, opened.message);
	try {
		return await inSession({ args, setup, around, session: opened.session, prompt: prompt.text, started: Date.now() });
	} finally {
		await opened.session.journal.close();
	}
}

interface Run {
	readonly args: RunArguments;
	readonly setup: Setup;
	readonly around: Surroundings;
	readonly session: RunSession;
	readonly prompt: string | undefined;
	/** Milliseconds since the epoch. */
	readonly started: number;
}

async function inSession(run: Run): Promise<number> {
	const { args, setup, around, session } = run;
	const output = new Output({ sessionId: session.id, partial: args.partial, uuid: newUuid, now: Date.now });
	const writer = new Writer(args.format, args.verbose, around);
	const opened = await openProvider(setup, modelOf(run), around.installation.version);
	if (opened.kind === 'failed') {
		const facts = { terminal: undefined, error: opened.message, durationMs: Date.now() - run.started };
		writer.result(output.result({ ...facts, costUsd: 0, modelUsage: new Map(), denials: [] }), '', opened.message);
		return errorResult;
	}
	const { provider } = opened;
	const { conversation, checkpoints, shell } = await openConversation(run, provider);
	try {
		if (run.prompt === undefined && !conversation.interrupted) {
			return refuse(around, 'There is no prompt, and the session has no turn that was cut. Give a prompt with -p "…".');
		}
		const tools = builtinToolsFor(shell).map(({ name }) => name);
		const { model, apiKeySource } = provider;
		const { version } = around.installation;
		writer.messages([
			output.init({ cwd: setup.cwd, tools, model, permissionMode: conversation.mode, apiKeySource, version }),
		]);
		if (session.damaged > 0) {
			const text = `${session.damaged} damaged line(s) of the transcript were left out; the original is kept beside it.`;
			writer.warning(output.informational(text, 'warning'), text);
		}
		for (const text of setup.warnings) writer.warning(output.informational(text, 'warning'), text);
		const { maxCostUsd } = setup.settings;
		if (maxCostUsd !== undefined && provider.facts(model).prices === null) {
			const text = `The prices of ${model} are not known: the limit of ${maxCostUsd} USD cannot be kept.`;
			writer.warning(output.informational(text, 'warning'), text);
		}
		return await converse(run, conversation, output, writer);
	} finally {
		await checkpoints?.end();
		await conversation.dispose();
		await provider.close();
		if (args.persist) await new SessionLibrary(setup.home).cleanUpDaily(setup.settings.cleanupPeriodDays);
	}
}

function secretsOf({ apiKey, authToken }: Setup): readonly string[] {
	return [apiKey, authToken].flatMap((secret) => secret ?? []);
}

/** A resumed session goes on with its model, unless the command line or the environment names another. */
function modelOf({ setup, session }: Run): string {
	const { model, modelChosen } = setup.settings;
	if (modelChosen) return model;
	const last = session.transcript?.findLast((entry) => entry.type === 'model');
	return last && last.model !== demoModel ? last.model : model;
}

async function openConversation(
	run: Run,
	provider: Provider,
): Promise<{
	readonly conversation: Conversation;
	readonly checkpoints: RunCheckpoints | undefined;
	readonly shell: string;
}> {
	const { setup, around, session, args } = run;
	const { client, facts, model } = provider;
	const results = args.persist
		? new FileResultStore({ cwd: setup.cwd, sessionId: session.id, home: setup.home, secrets: () => secretsOf(setup) })
		: undefined;
	const made = makePorts({
		client,
		roots: setup.roots,
		encoding: setup.settings.filesEncoding,
		journal: session.journal,
		env: around.env,
		installation: around.installation,
		...(results ? { results } : {}),
	});
	const checkpoints = args.persist ? recorded(run, made) : undefined;
	const agentJournal = (agentId: string) => session.journal.agentJournal(agentId);
	const ports = checkpoints ? { ...made, ...checkpoints.parts, agentJournal } : made;
	const { appendSystemPrompt } = args;
	const chosen = {
		...engineSettings(setup.settings, model),
		...(appendSystemPrompt === undefined ? {} : { appendSystemPrompt }),
	};
	const ownRules = rulesFrom({ source: 'session' }, results?.allowRules ?? []);
	const settings = (): SessionSettings => {
		const { allow, ask, deny } = setup.live.current.rules;
		return { ...chosen, allow: [...allow, ...ownRules], ask, deny };
	};
	const conversation = createConversation({
		sessionId: session.id,
		ports,
		settings,
		freshSettings: () => setup.live.refresh(),
		facts,
		mode: setup.settings.permissionMode,
		interactive: false,
		home: homedir(),
		app: around.installation.version,
		platform: process.platform,
		...(session.transcript ? { transcript: session.transcript } : {}),
	});
	// A stored mode comes back with its session, but not one that was a decision of its moment.
	const passing = conversation.mode === 'plan' || conversation.mode === 'bypassPermissions';
	if (setup.settings.modeChosen || passing) await conversation.setMode(setup.settings.permissionMode);
	return { conversation, checkpoints, shell: ports.shell.name };
}

function recorded({ args, setup, session }: Run, parts: RecordedParts & { readonly shellParser: ShellParser }) {
	const { cwd, home } = setup;
	const entries = session.transcript ?? [];
	const days = setup.settings.cleanupPeriodDays;
	const place = { cwd, home, entries, days, sessionId: session.id, shellParser: parts.shellParser };
	return new RunCheckpoints(parts, { ...place, trusted: args.trust });
}

/** The exchange itself. One catch: what throws here is a bug or a disk that fails, and becomes an error result. */
async function converse(run: Run, conversation: Conversation, output: Output, writer: Writer): Promise<number> {
	const costBefore = conversation.costUsd;
	let terminal: Terminal | undefined;
	let error: string | undefined;
	let stopping: Promise<void> | undefined;
	try {
		const events = run.prompt === undefined ? conversation.resume() : conversation.submitMessage(run.prompt);
		run.around.onStop(() => {
			stopping = conversation.stop('stop');
		});
		terminal = await consume(events, (event) => {
			writer.event(event);
			writer.messages(output.project(event));
		});
	} catch (thrown) {
		error = thrown instanceof Error ? thrown.message : String(thrown);
	}
	await stopping;
	const stopped = await endTasks(conversation, output, writer);
	const facts = {
		terminal,
		...(error === undefined ? {} : { error }),
		durationMs: Date.now() - run.started,
		costUsd: difference(conversation.costUsd, costBefore),
		modelUsage: conversation.modelUsage,
		denials: conversation.denials,
		stopped,
	};
	const ok = error === undefined && terminal?.reason === 'completed';
	writer.result(output.result(facts), output.finalText, ok ? undefined : output.errorText(facts));
	return ok ? success : errorResult;
}

/** Commands in the background end with the run; they are named. */
async function endTasks(conversation: Conversation, output: Output, writer: Writer) {
	const { running } = conversation.tasks;
	await conversation.tasks.end();
	for (const { command } of running) {
		const text = `A command in the background was still running and was stopped: ${command}`;
		writer.warning(output.informational(text, 'warning'), text);
	}
	return running;
}

async function consume(
	events: AsyncGenerator<LoopEvent, Terminal>,
	take: (event: LoopEvent) => void,
): Promise<Terminal> {
	let step = await events.next();
	while (!step.done) {
		take(step.value);
		step = await events.next();
	}
	return step.value;
}

function difference(now: number | null, before: number | null): number | null {
	return now === null ? null : now - (before ?? 0);
}

async function readPrompt(
	args: RunArguments,
	around: Surroundings,
): Promise<{ kind: 'read'; text: string | undefined } | { kind: 'wrong'; message: string }> {
	if (args.prompt !== undefined) return { kind: 'read', text: args.prompt };
	try {
		const text = await around.readPrompt();
		return { kind: 'read', text: text?.trim() ? text : undefined };
	} catch (error) {
		return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
	}
}

function say(around: Surroundings, text: string): number {
	around.out(text);
	return success;
}

function refuse(around: Surroundings, message: string): number {
	around.err(`loopwright: ${message}\n`);
	return wrongUsage;
}
