// The requests that wait for the person, first come first shown. They stand above the composer and are never scrolled away.
import type { PermissionRequest } from '../../../src/shared/permission.ts';
import { PermissionCard } from './PermissionCard.tsx';

export function PermissionQueue({ requests }: { readonly requests: readonly PermissionRequest[] }) {
	const first = requests[0];
	return first ? <PermissionCard key={first.id} request={first} count={requests.length} /> : null;
}
