// Checks every message that comes from the webview: what does not fit is dropped. The webview shows text of a model, so it is
// not trusted more than any other input.
import * as z from 'zod';
import { deliveries, promptLimits } from '../../shared/composer.ts';
import { permissionModes, ruleScopes } from '../../shared/permission.ts';
import type { ToHost } from '../../shared/protocol.ts';
import { keptDraft, mediaAttachment as media } from '../session/draftShape.ts';

/** Characters. Ids and names are far shorter, prompts may be long. */
const id = z.string().min(1).max(500);
const shortText = z.string().max(10_000);
const longText = z.string().max(5_000_000);

const count = z.number().int().nonnegative();

/** Characters of base64. */
const mediaChars = Math.ceil(promptLimits.pdfBytes / 3) * 4;

/** What the person typed into a request. The tool's own schema says the rest, when the call is parsed anew. */
function isBounded(input: Readonly<Record<string, unknown>>): boolean {
	return JSON.stringify(input).length <= 5_000_000;
}

const hunkOutcome = z.strictObject({ kind: z.enum(['accepted', 'denied']), reason: shortText.exactOptional() });

const answer = z.discriminatedUnion('behavior', [
	z.strictObject({
		behavior: z.literal('allow'),
		rule: z.strictObject({ text: shortText.min(1), scope: z.enum(ruleScopes) }).exactOptional(),
		input: z.record(z.string(), z.unknown()).refine(isBounded, 'The changed input is too long.').exactOptional(),
		mode: z.enum(permissionModes).exactOptional(),
		edit: z.strictObject({ hunks: z.array(hunkOutcome).max(1000) }).exactOptional(),
	}),
	z.strictObject({ behavior: z.literal('deny'), reason: shortText.exactOptional() }),
]);

const toHost: z.ZodType<ToHost> = z.discriminatedUnion('type', [
	z.strictObject({ type: z.literal('ready') }),
	z.strictObject({
		type: z.literal('prompt_submitted'),
		text: longText,
		attachments: z.array(media).max(promptLimits.media).exactOptional(),
		delivery: z.enum(deliveries).exactOptional(),
	}),
	z.strictObject({ type: z.literal('prompt_moved'), id, to: count }),
	z.strictObject({ type: z.literal('media_added'), media, data: z.base64().max(mediaChars) }),
	z.strictObject({ type: z.literal('media_opened'), media }),
	z.strictObject({ type: z.literal('selection_shared'), shared: z.boolean() }),
	z.strictObject({ type: z.literal('mentions_requested'), query: z.string().max(500) }),
	z.strictObject({ type: z.literal('history_requested') }),
	z.strictObject({ type: z.literal('draft_kept'), conversation: z.string().max(500), draft: keptDraft }),
	z.strictObject({ type: z.literal('draft_requested'), conversation: z.string().max(500) }),
	z.strictObject({ type: z.literal('uris_dropped'), uris: z.array(shortText.min(1)).max(200) }),
	z.strictObject({ type: z.literal('prompt_unqueued'), id }),
	z.strictObject({ type: z.literal('prompt_edited'), id }),
	z.strictObject({ type: z.literal('wait_answered'), waitId: id, wait: z.boolean() }),
	z.strictObject({ type: z.literal('stop_requested') }),
	z.strictObject({ type: z.literal('task_stopped'), id }),
	z.strictObject({ type: z.literal('task_shown'), id }),
	z.strictObject({ type: z.literal('task_kept'), id, kept: z.boolean() }),
	z.strictObject({ type: z.literal('task_removed'), id }),
	z.strictObject({ type: z.literal('agent_shown'), toolUseId: id }),
	z.strictObject({ type: z.literal('restore_requested'), promptId: id }),
	z.strictObject({ type: z.literal('edit_requested'), promptId: id }),
	z.strictObject({ type: z.literal('version_selected'), promptId: id }),
	z.strictObject({ type: z.literal('continue_requested') }),
	z.strictObject({ type: z.literal('reopen_requested') }),
	z.strictObject({ type: z.literal('retry_requested') }),
	z.strictObject({ type: z.literal('permission_answered'), requestId: id, answer }),
	z.strictObject({ type: z.literal('rule_typed'), requestId: id, rule: shortText }),
	z.strictObject({
		type: z.literal('hunk_decided'),
		requestId: id,
		hunk: z.number().int().nonnegative(),
		outcome: z.enum(['accepted', 'denied']).nullable(),
	}),
	z.strictObject({ type: z.literal('proposal_opened'), requestId: id }),
	z.strictObject({ type: z.literal('plan_opened'), requestId: id }),
	z.strictObject({ type: z.literal('focus_moved'), focus: z.enum(['request', 'elsewhere', 'none']) }),
	z.strictObject({ type: z.literal('mode_selected'), mode: z.enum(permissionModes) }),
	z.strictObject({ type: z.literal('model_selected'), model: id }),
	z.strictObject({ type: z.literal('folder_selected'), folder: shortText.min(1) }),
	z.strictObject({ type: z.literal('rows_requested'), before: id, through: id.exactOptional() }),
	z.strictObject({ type: z.literal('find_requested'), query: shortText }),
	z.strictObject({ type: z.literal('outline_requested') }),
	z.strictObject({ type: z.literal('conversation_copied') }),
	z.strictObject({ type: z.literal('context_requested') }),
	z.strictObject({ type: z.literal('update_seen'), show: z.boolean() }),
	z.strictObject({ type: z.literal('demo_chosen') }),
	z.strictObject({
		type: z.literal('file_opened'),
		path: shortText.min(1),
		line: z.number().int().positive().exactOptional(),
	}),
	z.strictObject({ type: z.literal('link_opened'), url: shortText }),
	z.strictObject({ type: z.literal('text_copied'), text: longText }),
	z.strictObject({ type: z.literal('code_inserted'), text: longText }),
	z.strictObject({
		type: z.literal('code_opened'),
		text: longText,
		language: shortText,
		path: shortText.min(1).exactOptional(),
	}),
	z.strictObject({ type: z.literal('code_applied'), text: longText, path: shortText.min(1).exactOptional() }),
	z.strictObject({
		type: z.literal('command_requested'),
		command: z.enum([
			'setApiKey',
			'newConversation',
			'history',
			'openSettings',
			'showLog',
			'selectModel',
			'compact',
			'manageTrust',
			'exportConversation',
			'continueInCopy',
			'showContext',
			'openWalkthrough',
			'openFolder',
			'redoRestore',
		]),
	}),
]);

/** The message, or one line per problem for the log. */
export function readInbound(value: unknown): ToHost | { readonly type: 'invalid'; readonly problem: string } {
	const parsed = toHost.safeParse(value);
	if (parsed.success) return parsed.data;
	return { type: 'invalid', problem: parsed.error.issues.map((issue) => issue.message).join('; ') };
}

/** Links that may leave the editor: the web and mail only, never `command:` or `file:`. */
export function externalLink(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { protocol, href } = new URL(url);
	return ['http:', 'https:', 'mailto:'].includes(protocol) ? href : undefined;
}
