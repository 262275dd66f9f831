// Puts text into a text box as if it were typed: undo takes it back, and whoever listens for input hears of it.

/** Replaces the characters [start, end), or what is selected. */
export function insertAt(box: HTMLTextAreaElement, text: string, start?: number, end?: number): void {
	box.focus();
	if (start !== undefined) box.setSelectionRange(start, end ?? start);
	// The only way that keeps the undo history of a text box; without it the text is put there all the same.
	if (document.execCommand('insertText', false, text)) return;
	box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end');
	box.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
