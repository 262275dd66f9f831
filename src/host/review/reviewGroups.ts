// The list of what waits, as groups: the prompts of this conversation, then earlier conversations, each as a whole. Pure.
import type { ReviewHunk, ReviewTurn } from '../../core/review/reviewedFile.ts';
import type { StoredReview } from './reviewStore.ts';

export interface ReviewGroup {
	readonly id: string;
	readonly turn: ReviewTurn;
	readonly earlier: boolean;
	readonly files: readonly GroupedFile[];
}

export interface GroupedFile {
	readonly path: string;
	readonly hunks: readonly ReviewHunk[];
	readonly created: boolean;
}

export function groupsOf(files: readonly StoredReview[], sessionId: string): readonly ReviewGroup[] {
	const groups = new Map<string, { turn: ReviewTurn; earlier: boolean; files: Map<string, GroupedFile> }>();
	for (const { path, file } of files) {
		for (const hunk of file.hunks) {
			const id = groupId(hunk.turn, sessionId);
			const earlier = hunk.turn.sessionId !== sessionId;
			const group = groups.get(id) ?? { turn: hunk.turn, earlier, files: new Map<string, GroupedFile>() };
			groups.set(id, group);
			const hunks = [...(group.files.get(path)?.hunks ?? []), hunk];
			group.files.set(path, { path, hunks, created: file.created !== undefined });
		}
	}
	return [...groups]
		.map(([id, group]) => ({ id, ...group, files: [...group.files.values()] }))
		.toSorted((one, other) => Number(one.earlier) - Number(other.earlier));
}

function groupId({ sessionId, promptId }: ReviewTurn, current: string): string {
	return sessionId === current ? `prompt:${promptId}` : `session:${sessionId}`;
}
