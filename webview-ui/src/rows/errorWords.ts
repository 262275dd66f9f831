// Each failure in a sentence: what happened, where, and what to do. The codes are those of the host's failures; an unknown
// code gets the general sentence, never nothing.
import { t } from '@vscode/l10n';
import type { ErrorView } from '../../../src/shared/view.ts';
import { minutes } from '../format.ts';

type Args = ErrorView['args'];

export function errorText({ code, args }: Pick<ErrorView, 'code' | 'args'>): string {
	const sentence = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
	return (sentence ?? unknown)(args);
}

const service = (args: Args) => args['host'] ?? t('the model service');
/** At the beginning of a sentence. */
const serviceFirst = (args: Args) => args['host'] ?? t('The model service');
const unknown = (args: Args) =>
	t('Something went wrong while talking to {0}. Try again, or look into the log.', service(args));

const sentences: Readonly<Record<string, (args: Args) => string>> = {
	authentication: (args) => t('{0} did not accept the API key. Set a valid key and try again.', serviceFirst(args)),
	permission: (args) =>
		t('The API key has no right to do this at {0}. Use another key or another model.', service(args)),
	billing: (args) =>
		t(
			'{0} refused for a reason of billing, such as used-up credit. Check the account, then try again.',
			serviceFirst(args),
		),
	not_found: (args) =>
		args['model'] === undefined
			? t('{0} does not know this address. Check the base URL in the settings.', serviceFirst(args))
			: t(
					'{0} does not know the model "{1}". Choose another model or check the base URL.',
					serviceFirst(args),
					args['model'],
				),
	unreachable: (args) =>
		args['code'] === undefined
			? t('Could not reach {0}. Check the network and the base URL, then try again.', service(args))
			: t(
					'Could not reach {0} ({1}). Check the network and the base URL, then try again.',
					service(args),
					args['code'],
				),
	not_a_stream: (args) =>
		t(
			'{0} answered, but not as a Messages API. Check the base URL: it may be a web page or a proxy.',
			serviceFirst(args),
		),
	overloaded: (args) => t('{0} is overloaded at the moment. Try again in a few minutes.', serviceFirst(args)),
	rate_limited: (args) =>
		args['seconds'] === undefined
			? t('{0} limits how much may be asked for now. Wait a little, then try again.', serviceFirst(args))
			: t(
					'{0} limits how much may be asked for now. Try again in {1}.',
					serviceFirst(args),
					minutes(Number(args['seconds']) * 1000),
				),
	server_error: (args) => t('{0} had an internal error. Try again; if it stays, try later.', serviceFirst(args)),
	dropped: (args) => t('The connection to {0} broke in the middle of the answer. Try again to go on.', service(args)),
	stalled: (args) => t('{0} sent nothing for too long, so the request was ended. Try again.', serviceFirst(args)),
	prompt_too_long: () =>
		t('The conversation no longer fits into the model. Compact it, start a new one, or ask with less text.'),
	blocking_limit: () =>
		t(
			'The context is full, and nothing more can be sent. Compact the conversation, or turn compaction on in the settings.',
		),
	rapid_refill_breaker: () =>
		t(
			'The context fills up again right after each compaction, so it stopped. Ask for less at once, or choose a model with a larger window.',
		),
	malformed_tool_use_exhausted: () =>
		t('The model kept sending tool calls that cannot run, so it stopped. Try again, or choose another model.'),
	output_limit: () =>
		t('The answer was longer than the model may write. Allow more output in the settings, or ask for less.'),
	refused: () => t('The model declined to answer this. Ask in another way, or choose another model.'),
	internal: () => t('Something went wrong inside Loopwright. Nothing is lost; the log has the details.'),
	media_too_large: () => t('An attached file or image is too large for the model. Leave it out or make it smaller.'),
	invalid_request: (args) =>
		t('{0} rejected the request as invalid. This is likely a bug here: the log has the details.', serviceFirst(args)),
	invalid_signature: (args) =>
		t('{0} rejected the stored thinking of this conversation. Try again.', serviceFirst(args)),
	not_configured: () => t('No model is set up yet. Set an API key, or check the provider in the settings.'),
	max_turns: (args) =>
		t(
			'It stopped after {0} turns, the limit of this conversation. Send a message to go on.',
			args['turns'] ?? args['limit'] ?? '?',
		),
	unknown,
};
