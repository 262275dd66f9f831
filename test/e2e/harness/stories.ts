// A suite of stories: one mock service for all of them, and a workbench of its own for each; or one window for all, which takes
// seconds less for each, where what one leaves is nothing to the next.
import type { MockServer } from '../../support/mockServer.ts';
import { startMockServer } from '../../support/mockServer.ts';
import type { WorkbenchOptions } from './workbench.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from './workbench.ts';

export interface Stories {
	/** Empty at the start of each story. */
	readonly mock: MockServer;
	/**
	 * Opens the workbench of this story: the sample folder and the mock service unless told otherwise. Closed by itself. In a suite
	 * with one window it is the one of the story before, as new, unless that failed or was opened in another way.
	 */
	open(options?: Partial<WorkbenchOptions>): Promise<Workbench>;
}

export function stories(title: string, define: (stories: Stories) => void): void {
	defineSuite(title, define, false);
}

/** For stories that leave nothing that matters to the next: no rules, no memory, no second root. */
export function storiesInOneWindow(title: string, define: (stories: Stories) => void): void {
	defineSuite(title, define, true);
}

function defineSuite(title: string, define: (stories: Stories) => void, oneWindow: boolean): void {
	suite(title, () => {
		let server: MockServer | undefined;
		let workbench: Workbench | undefined;
		let openedAs = '';
		const running = (): MockServer => {
			if (!server) throw new Error('The mock service runs only inside of tests.');
			return server;
		};
		const close = async () => {
			await workbench?.close();
			workbench = undefined;
		};
		suiteSetup(async () => {
			server = await startMockServer();
		});
		suiteTeardown(async () => {
			await close();
			await server?.close();
		});
		setup(() => running().reset());
		teardown(async function () {
			if (!oneWindow || !this.currentTest?.isPassed()) await close();
		});
		define({
			get mock() {
				return running();
			},
			async open(options = {}) {
				const { settings = {}, theme = 'dark', ...others } = options;
				const as = JSON.stringify(others);
				if (workbench && as === openedAs && options.folder === undefined) {
					await workbench.startAnew({ settings, theme });
					return workbench;
				}
				await close();
				openedAs = as;
				workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: running().url }, ...options });
				return workbench;
			},
		});
	});
}
