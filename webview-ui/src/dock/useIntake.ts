// What is pasted and dropped into the composer: pictures and PDFs, large texts, files and problems of the editor. VS Code passes a
// drag on to a panel only while Shift is held.
import { t } from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { usePanel } from '../panelContext.ts';
import { insertAt } from './insertText.ts';
import { hasRoom, prepared } from './media.ts';
import { freshMark, isLargePaste, lineCount } from './pastes.ts';
import { refusalWords } from './refusals.ts';
import type { DraftHold } from './useDraft.ts';

export interface Intake {
	/** Why something was not taken; empty when there is nothing to say. */
	readonly problems: readonly string[];
	/** Something is over the composer that it would take. */
	readonly dragging: boolean;
	/** Pictures are being made smaller. */
	readonly busy: boolean;
	readonly add: (files: readonly File[]) => void;
	readonly forget: () => void;
	readonly onPaste: (event: ClipboardEvent) => void;
	readonly onDragOver: (event: DragEvent) => void;
	readonly onDragLeave: () => void;
	readonly onDrop: (event: DragEvent) => void;
}

/** As drags of the editor name files, tabs, problems; the first one that is there counts. */
const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list', 'resourceurls'];

export function useIntake(hold: DraftHold, box: RefObject<HTMLTextAreaElement | null>): Intake {
	const { bridge } = usePanel();
	const [problems, setProblems] = useState<readonly string[]>([]);
	const [dragging, setDragging] = useState(false);
	const [working, setWorking] = useState(0);
	const refuse = (problem: string) => setProblems((known) => [...known, problem].slice(-4));
	useEffect(
		() =>
			bridge.listen((message) => {
				if (message.type === 'text_inserted' && box.current) insertAt(box.current, message.text);
				if (message.type !== 'media_refused') return;
				const refused = hold.current().media.find(({ media }) => media.id === message.id);
				if (!refused) return;
				hold.change({ media: hold.current().media.filter((draft) => draft !== refused) });
				refuse(refusalWords(refused.media.name, 'not_kept'));
			}),
		[],
	);
	const addOne = async (file: File) => {
		const result = await prepared(file).catch(() => ({ kind: 'refused', reason: 'unreadable' }) as const);
		if (result.kind === 'refused') return refuse(refusalWords(file.name, result.reason));
		const known = hold.current().media;
		if (!hasRoom(known, result.draft.bytes)) return refuse(refusalWords(file.name, 'too_many'));
		bridge.send({ type: 'media_added', media: result.draft.media, data: result.data });
		hold.change({ media: [...known, result.draft] });
	};
	const add = (files: readonly File[]) => {
		setProblems([]);
		setWorking((count) => count + 1);
		void (async () => {
			for (const file of files) await addOne(file);
			setWorking((count) => count - 1);
		})();
	};
	return {
		problems,
		dragging,
		busy: working > 0,
		add,
		forget: () => setProblems([]),
		onPaste(event) {
			const { clipboardData } = event;
			const files = [...(clipboardData?.files ?? [])];
			const text = clipboardData?.getData('text/plain') ?? '';
			if (files.length > 0 && text === '') {
				event.preventDefault();
				add(files);
			} else if (isLargePaste(text) && box.current) {
				event.preventDefault();
				const { text: draft, pastes } = hold.current();
				const lines = lineCount(text);
				const mark = freshMark(draft, pastes, (index) => t('[Pasted text {0}: {1} lines]', index, lines));
				insertAt(box.current, mark);
				hold.change({ text: box.current.value, pastes: { ...pastes, [mark]: text } });
			}
		},
		onDragOver(event) {
			const types = event.dataTransfer?.types ?? [];
			if (!types.includes('Files') && !uriTypes.some((type) => types.includes(type))) return;
			event.preventDefault();
			setDragging(true);
		},
		onDragLeave: () => setDragging(false),
		onDrop(event) {
			setDragging(false);
			const { dataTransfer } = event;
			if (!dataTransfer) return;
			const uris = droppedUris(dataTransfer);
			const files = [...dataTransfer.files];
			if (uris.length === 0 && files.length === 0) return;
			event.preventDefault();
			box.current?.focus();
			if (uris.length > 0) bridge.send({ type: 'uris_dropped', uris });
			else add(files);
		},
	};
}

/** At most so many, as the host takes no more. */
const mostUris = 200;

function droppedUris(data: DataTransfer): readonly string[] {
	for (const type of uriTypes) {
		const uris = urisOf(data.getData(type));
		if (uris.length > 0) return uris.slice(0, mostUris);
	}
	return [];
}

/** One a line, `#` begins a comment; some are a JSON list. */
function urisOf(text: string): readonly string[] {
	if (text.startsWith('[')) {
		try {
			const items: unknown = JSON.parse(text);
			return Array.isArray(items) ? items.filter((item): item is string => typeof item === 'string') : [];
		} catch {
			return [];
		}
	}
	return text.split(/[\r\n]+/).filter((line) => line !== '' && !line.startsWith('#'));
}
