// A suite of stories: one mock service for all of them, a workbench of its own for each.
import type { MockServer } from '../../support/mockServer.ts';
import { startMockServer } from '../../support/mockServer.ts';
import type { WorkbenchOptions } from './workbench.ts';
import { openWorkbench, sampleWorkspace, type Workbench } from './workbench.ts';

export interface Stories {
	/** Empty at the start of each story. */
	readonly mock: MockServer;
	/** Opens the workbench of this story: the sample folder and the mock service unless told otherwise. Closed by itself. */
	open(options?: Partial<WorkbenchOptions>): Promise<Workbench>;
}

export function stories(title: string, define: (stories: Stories) => void): void {
	suite(title, () => {
		let server: MockServer | undefined;
		let workbench: Workbench | undefined;
		const running = (): MockServer => {
			if (!server) throw new Error('The mock service runs only inside of tests.');
			return server;
		};
		suiteSetup(async () => {
			server = await startMockServer();
		});
		suiteTeardown(() => server?.close());
		setup(() => running().reset());
		teardown(async () => {
			await workbench?.close();
			workbench = undefined;
		});
		define({
			get mock() {
				return running();
			},
			async open(options = {}) {
				workbench = await openWorkbench({ folder: sampleWorkspace(), model: { url: running().url }, ...options });
				return workbench;
			},
		});
	});
}
