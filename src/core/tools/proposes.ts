// What the tools that propose an edit have in common.
import { limits } from '../limits.ts';
import type { EditOutcome } from '../../shared/permission.ts';
import { contextAfter } from './openProposals.ts';
import { stillFits } from './proposal.ts';
import type { Proposal } from './proposal.ts';
import type { ToolContext } from './tool.ts';

export const proposes = {
	isConcurrencySafe: () => false,
	interrupt: 'block',
	maxResultChars: limits.searchResultChars,
	fits: async (proposal: Proposal | undefined, outcome: EditOutcome | undefined, context: ToolContext) =>
		proposal === undefined || (await stillFits(proposal, outcome, context)),
	after: (proposal: Proposal | undefined, context: ToolContext) =>
		proposal === undefined ? context : contextAfter(proposal, context),
} as const;
