// What all conversations of a window share.
import type * as vscode from 'vscode';
import type { SessionLibrary } from '../../node/sessions/sessionLibrary.ts';
import type { Checkpoints } from '../checkpoints/checkpoints.ts';
import type { RestoredDocuments } from '../checkpoints/restoredDocuments.ts';
import type { Log } from '../log.ts';
import type { ComposerDesk } from '../panel/composerDesk.ts';
import type { UpdateNotice } from '../panel/updateNotice.ts';
import type { ModelService } from '../provider/modelService.ts';
import type { Review } from '../review/review.ts';
import type { HostSettings } from '../settings/hostSettings.ts';
import type { KeptTasks } from '../tasks/keptTasks.ts';
import type { WorktreeRoots } from '../worktrees/worktreeRoots.ts';
import type { SessionTitles } from './sessionTitles.ts';
import type { VscodeWorkspace } from '../workspace/vscodeWorkspace.ts';

export interface WindowParts {
	readonly context: vscode.ExtensionContext;
	readonly log: Log;
	readonly settings: HostSettings;
	/** The root of sessions without a folder. */
	readonly emptyFolder: string;
	readonly storage: vscode.Uri;
	readonly workspace: VscodeWorkspace;
	readonly checkpoints: Checkpoints;
	readonly restored: RestoredDocuments;
	readonly review: Review;
	readonly service: ModelService;
	readonly composer: ComposerDesk;
	readonly update: UpdateNotice;
	readonly keptTasks: KeptTasks;
	readonly library: SessionLibrary;
	readonly titles: SessionTitles;
	readonly worktrees: WorktreeRoots;
}
