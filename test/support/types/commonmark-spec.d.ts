// The package of CommonMark's examples has no types.
declare module 'commonmark-spec' {
	export const tests: readonly { readonly markdown: string; readonly html: string; readonly section: string }[];
}
