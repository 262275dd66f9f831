// Why a call asks or is denied, as English sentences with arguments: the keys of the l10n bundle, for the panel and for the host.
import type { PermissionRequest } from './permission.ts';

/** A sentence with `{0}` for the argument that follows, if any. */
export type Words = readonly [sentence: string, argument?: string];

export function reasonWords({ code, args = {} }: PermissionRequest['reason']): Words {
	switch (code) {
		case 'mode_asks':
			return ['This mode asks before edits and commands.'];
		case 'ask_rule':
			return withOr(args['rule'], 'The rule {0} says to ask.', 'A rule says to ask.');
		case 'outside_workspace':
			return withOr(args['path'], '{0} lies outside of the open folder.', 'It lies outside of the open folder.');
		case 'not_read_only':
			return ['This command may change something, so it asks first.'];
		case 'protected_path':
			return withOr(args['path'], '{0} is protected.', 'This file is protected.');
		case 'person_decides':
			return ['Only you can answer this.'];
		case 'secret':
			return withOr(args['path'], '{0} may hold secrets.', 'This file may hold secrets.');
		case 'critical_path':
			return withOr(args['path'], '{0} would be removed for good.', 'It would remove something for good.');
		case 'unclear':
			return withOr(args['part'], 'What {0} would do cannot be known.', 'What it would do cannot be known.');
		case 'untrusted':
			return ['This folder is not trusted.'];
		case 'changed_since':
			return ['The file has changed since you chose what to take of this edit.'];
		case 'hook_asks':
			return withOr(args['reason'], 'A hook asks: {0}', 'A hook says to ask.');
		case 'hook_denies':
			return withOr(args['reason'], 'A hook denies it: {0}', 'A hook denies it.');
		case 'mode_denies':
			return ['This mode denies it.'];
		case 'deny_rule':
			return withOr(args['rule'], 'The rule {0} denies it.', 'A rule denies it.');
		case 'nobody_to_ask':
			return ['Nobody can be asked.'];
	}
}

function withOr(argument: string | undefined, sentence: string, without: string): Words {
	return argument === undefined || argument === '' ? [without] : [sentence, argument];
}
