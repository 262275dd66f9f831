// Where checkpoints lie: the bytes of files as they were, by their hash, and the session's list of what was kept. Adapters:
// `DiskImages` and `EditorImages` (an editor's unsaved text is the file), `CheckpointFile`. Paths are absolute and real.

/** Why the bytes of a file are not kept. */
export type UnkeptReason =
	/** Beyond the bound for one file. */
	| 'too_large'
	/** Git's own files are not touched. */
	| 'git'
	| 'link'
	/** No regular file. */
	| 'special'
	| 'unreadable'
	/** The store cannot be written, or does not have it any more. */
	| 'not_stored'
	/** Cells that only the editor holds. */
	| 'unsaved_notebook'
	/** Changed by a command that did not say so before. */
	| 'unexpected';

/** A file at one moment. */
export type FileImage =
	| {
			readonly kind: 'missing';
			/** Folders around it that are not there either: they go with the file, if nothing else is in them. */
			readonly folders?: number;
	  }
	| {
			readonly kind: 'file';
			/** SHA-256 of the bytes, hexadecimal. */
			readonly hash: string;
			/** Bytes. */
			readonly size: number;
			/** Permission bits, where the system has them. */
			readonly mode?: number;
	  }
	| { readonly kind: 'unkept'; readonly reason: UnkeptReason };

export interface FileImages {
	/** The file as it is now; its bytes are kept. Contract: never rejects. */
	keep(path: string): Promise<FileImage>;
	/** As `keep`, but nothing is kept. */
	look(path: string): Promise<FileImage>;
	/** Makes the file what the image says. Contract: never rejects; of what failed nothing was changed. */
	put(path: string, image: FileImage): Promise<PutOutcome>;
	/** The bytes of an image; undefined when they are not kept any more. */
	bytes(image: FileImage): Promise<Uint8Array | undefined>;
}
export type PutOutcome = { readonly kind: 'done' } | ({ readonly kind: 'failed' } & PutFailure);
export interface PutFailure {
	/** `changed`: in this very moment; `refused`: by the system or the editor, whose words are in `detail`. */
	readonly code: 'changed' | 'not_kept' | 'git' | 'refused';
	readonly detail?: string;
}

/** What a restore brings back. */
export type RestoreScope = 'files' | 'conversation' | 'both';

/** One line of a session's list, in the order in which things happened. */
export type CheckpointRecord =
	/** From here on changes belong to this message of the person. */
	| { readonly type: 'prompt'; readonly id: string }
	/** A file before the agent changes it. */
	| { readonly type: 'before'; readonly path: string; readonly image: FileImage }
	/** A file as the agent left it. */
	| { readonly type: 'after'; readonly path: string; readonly image: FileImage }
	/** A change that was found only afterwards, and that belongs to this message of the person, whatever came since. */
	| {
			readonly type: 'found';
			readonly prompt: string;
			readonly path: string;
			readonly before: FileImage;
			readonly after: FileImage;
	  }
	/** A restore, written before its first file is: it is a change like others, and can be taken back. */
	| {
			readonly type: 'restored';
			/** The message before whose changes it went back; of a redo, that of the restore. */
			readonly to: string;
			readonly scope: RestoreScope;
			/** It takes the restore before it back. */
			readonly redo: boolean;
			readonly files: readonly {
				readonly path: string;
				readonly before: FileImage;
				readonly after: FileImage;
			}[];
	  };

export interface CheckpointIndex {
	/** Contract: never throws or rejects; lines are written whole and in order. A promise where the disk is slow: until it is written. */
	append(record: CheckpointRecord): void | Promise<void>;
	/** All that is written, what cannot be read left out. Never rejects. */
	read(): Promise<readonly CheckpointRecord[]>;
}
