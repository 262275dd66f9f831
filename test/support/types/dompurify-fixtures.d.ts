/** The last version of DOMPurify that was published with its tests, by another name. */
declare module 'dompurify-fixtures/test/fixtures/expect.js' {
	const fixtures: readonly { readonly payload: string }[];
	export default fixtures;
}
