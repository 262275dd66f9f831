// A codicon. Decoration only: what it means is said in words beside it or in its button's name.

export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean }) {
	return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
