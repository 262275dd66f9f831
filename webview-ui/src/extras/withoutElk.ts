// Stands for the layout engine ELK in the bundle: 1.5 MB under another licence, for a layout that hardly anybody asks for. A
// diagram that does is shown as its source.

export default class WithoutElk {
	layout(): Promise<never> {
		return Promise.reject(new Error('the layout ELK is not included'));
	}
}
