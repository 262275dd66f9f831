// An exchange whose tools run beside the stream and whose events still come in one order: behind each call the service waits
// until its result has come out.
import type { ExchangeOptions, ExchangeRecord } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { Gate, Part } from './mock/parts.ts';
import { gate, toolUse } from './mockServer.ts';

export class Calls {
	private readonly gates = new Map<string, Gate>();

	/** A call of a tool with an `id`; the answer goes on when the call is answered. */
	of(tool: string, toolUseId: string, input: Readonly<Record<string, unknown>> = { id: toolUseId }): readonly Part[] {
		const hold = gate();
		this.gates.set(toolUseId, hold);
		return [toolUse(tool, input, toolUseId), hold];
	}

	run(options: ExchangeOptions): Promise<ExchangeRecord> {
		return exchange({
			...options,
			onEvent: (event, controls) => {
				if (event.type === 'tool_end') this.gates.get(event.toolUseId)?.open();
				return options.onEvent?.(event, controls);
			},
		});
	}
}
