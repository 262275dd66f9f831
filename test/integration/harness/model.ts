// The mock of the Messages API that lives in the extension host beside the extension under test. Every test file is a bundle
// of its own, so that the one server is handed on through the global scope.
import { startMockServer, type MockServer } from '../../support/mockServer.ts';

const shared = globalThis as { loopwrightTestModel?: MockServer };

export async function startModel(): Promise<void> {
	const server = await startMockServer();
	shared.loopwrightTestModel = server;
	process.env.ANTHROPIC_BASE_URL = server.url;
	process.env.ANTHROPIC_API_KEY = 'test-key';
}

export async function stopModel(): Promise<void> {
	await shared.loopwrightTestModel?.close();
}

/** The server of this run; call `reset()` or `setScript()` on it before each test. */
export function model(): MockServer {
	if (!shared.loopwrightTestModel) throw new Error('The model server is not started.');
	return shared.loopwrightTestModel;
}
