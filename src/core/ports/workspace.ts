// Files as the person sees them: an open editor's unsaved text is the file's text. Adapters: `VscodeWorkspace` (live
// buffers, WorkspaceEdit), `NodeWorkspace` (disk). Paths are absolute and normalised; adapters do no permission checks.

export interface FileStat {
	readonly kind: 'file' | 'folder' | 'other';
	/** Bytes. */
	readonly size: number;
	/** Milliseconds since the epoch. */
	readonly mtime: number;
}

export interface TextFile {
	readonly kind: 'text';
	/** Decoded text without the BOM, line ends as they are in the file. */
	readonly text: string;
	/** True when an open editor holds text that is not on disk yet. */
	readonly unsaved: boolean;
	/** The encoding's name for people when it is not UTF-8, such as `GBK`. */
	readonly encoding?: string;
}
/** What a read found. `undecodable`: not text in any encoding that is known for it; nothing may be written there. */
export type FileContent =
	| TextFile
	| { readonly kind: 'missing' }
	| { readonly kind: 'folder' }
	| { readonly kind: 'undecodable'; readonly size: number; readonly reason: 'binary' | 'encoding' }
	| { readonly kind: 'too_large'; readonly size: number; readonly limit: number }
	| { readonly kind: 'failed'; readonly message: string };

/** What an image on the disk is: its sides in pixels, and its bytes. */
export interface ImageMeasure {
	readonly width: number;
	readonly height: number;
	readonly bytes: number;
}

/**
 * An image or a PDF, in base64. `other`: neither. `encrypted`: a PDF that opens with a password only. `unfit`: an image that is
 * broken, or that cannot be made small enough.
 */
export type MediaContent =
	/** Within `promptLimits`; `original`: what the file has, where it was scaled down or written anew. */
	| {
			readonly kind: 'image';
			readonly mediaType: string;
			readonly data: string;
			readonly measure: ImageMeasure;
			readonly original?: ImageMeasure;
	  }
	| { readonly kind: 'unfit'; readonly problem: 'broken' | 'too_large'; readonly original?: ImageMeasure }
	| { readonly kind: 'pdf'; readonly data: string; readonly bytes: number; readonly pages: number }
	| { readonly kind: 'encrypted' }
	| { readonly kind: 'other' }
	| Exclude<FileContent, { kind: 'text' | 'undecodable' }>;

/** Replace the characters [start, end) of the expected text by `text`. Offsets are UTF-16 units; edits do not overlap. */
export interface TextEdit {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

/** An edit that is not applied yet, for those who show it in an editor. */
export interface ProposedEdit {
	/** Absolute, links resolved. */
	readonly realPath: string;
	/** `undefined` when the file is created. */
	readonly oldText: string | undefined;
	readonly newText: string;
	/** On `oldText`, ascending and apart. */
	readonly edits: readonly TextEdit[];
	/** The texts are the source of one cell of a notebook. */
	readonly cell?: ProposedCell;
}

export interface ProposedCell {
	/** Where it is in the notebook as it is, from 0; where a new one comes to be. */
	readonly index: number;
	/** As it is named for people and model. */
	readonly label: string;
	readonly kind: CellEdit['kind'];
	readonly type: NotebookCell['type'];
}

export interface FileChange {
	readonly path: string;
	/** What the change was permitted for: when `path` leads elsewhere by now, nothing is written (`failed`). */
	readonly realPath?: string;
	/** The text that the edits were computed on; `undefined` creates the file (it must not exist or must be empty). */
	readonly expected: string | undefined;
	readonly edits: readonly TextEdit[];
}

/** A cell of a notebook that an editor holds. */
export interface NotebookCell {
	/** Its id in the file; notebooks before nbformat 4.5 have none. */
	readonly id?: string;
	readonly type: 'code' | 'markdown' | 'raw';
	/** Line ends are `\n`. */
	readonly source: string;
	/** What it has put out, as text; what is no text is named. */
	readonly outputs: readonly string[];
}
export interface OpenNotebook {
	readonly cells: readonly NotebookCell[];
	readonly unsaved: boolean;
}

export type CellEdit =
	| { readonly kind: 'replace'; readonly index: number; readonly source: string; readonly type: NotebookCell['type'] }
	/** `index`: of the new cell. */
	| {
			readonly kind: 'insert';
			readonly index: number;
			readonly source: string;
			readonly type: NotebookCell['type'];
			/** For a notebook whose cells have ids. */
			readonly id?: string;
	  }
	| { readonly kind: 'delete'; readonly index: number };

/** A change of a notebook that an editor holds. */
export interface CellsChange {
	readonly path: string;
	/** As of a `FileChange`. */
	readonly realPath?: string;
	/** The cells that it was computed on. */
	readonly expectedCells: readonly NotebookCell[];
	readonly edit: CellEdit;
}

/**
 * `applied`: `text` is the file's text after saving (format on save may have changed more), `saved` false when saving was
 * refused (of a notebook's cells, `text` says nothing). `changed`: the buffer was no longer `expected`; nothing was written.
 */
export type ChangeOutcome =
	| { readonly kind: 'applied'; readonly text: string; readonly saved: boolean }
	| { readonly kind: 'changed'; readonly current: FileContent }
	/** Nothing was written; `message` completes "… could not be changed: …". */
	| { readonly kind: 'failed'; readonly message: string };

export interface Workspace {
	/** Absolute paths of the workspace's folders, the session's root first. At least one. */
	readonly roots: readonly string[];
	read(path: string): Promise<FileContent>;
	/** What the file's content says it is, whatever its name. */
	readMedia(path: string): Promise<MediaContent>;
	stat(path: string): Promise<FileStat | undefined>;
	/** One undo step, saved afterwards. Contract: writes nothing when the current text differs from `expected`. */
	change(change: FileChange | CellsChange): Promise<ChangeOutcome>;
	/** Why `change` would fail for certain, known before anyone is asked: a read-only file, a character without a code. Writes nothing. */
	obstacle?(change: FileChange | CellsChange): Promise<string | undefined>;
	/** The cells of a notebook while an editor holds it, unsaved ones too; else its file counts. Absent without editors. */
	openNotebook?(path: string): Promise<OpenNotebook | undefined>;
	/** The real path (links resolved); of a path that does not exist, its deepest existing parent's plus the rest. */
	realPath(path: string): Promise<string>;
	/** How often files were changed through it so far, by whichever conversation; absent: nobody else changes any. */
	changeCount?(): number;
	/**
	 * Runs `work`, which reads the file and changes it, when nobody else does: of many at one file each comes to its turn. `realPath`:
	 * links resolved. Absent where there is nobody else. Contract: `work` asks nobody, and takes no other file's turn.
	 */
	inTurn?<T>(realPath: string, work: () => Promise<T>): Promise<T>;
	/** Names in a folder, for messages such as "did you mean"; empty when it cannot be read. */
	list(path: string): Promise<readonly string[]>;
}
