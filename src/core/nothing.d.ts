// What `vscode` means inside core: an empty module, so that an import of it fails to compile.
declare const nothing: never;
export default nothing;
