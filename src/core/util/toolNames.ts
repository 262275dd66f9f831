// Names that tools had before, as they still stand in rules, hooks and old transcripts.

/** Former tool names and what they are called now. */
export function currentToolName(name: string): string {
	switch (name) {
		case 'MultiEdit':
			return 'Edit';
		case 'Task':
			return 'Agent';
		case 'KillShell':
			return 'TaskStop';
		case 'BashOutput':
			return 'TaskOutput';
		default:
			return name;
	}
}
