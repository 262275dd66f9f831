// What remains when drawing fails: a sentence and a button that draws again from the host's state. Nothing is lost, as the
// host owns the conversation.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import type { ComponentChildren } from 'preact';

interface Props {
	readonly children: ComponentChildren;
}

export class ErrorBoundary extends Component<Props, { readonly failure: string | undefined }> {
	override state = { failure: undefined as string | undefined };

	static override getDerivedStateFromError(error: unknown) {
		return { failure: error instanceof Error ? error.message : String(error) };
	}

	override render() {
		if (this.state.failure === undefined) return this.props.children;
		return (
			<div class="broken" role="alert">
				<p>{t('The panel could not draw this conversation. Nothing is lost: it lives outside of the panel.')}</p>
				<p class="small">{this.state.failure}</p>
				<button type="button" class="primary" onClick={() => this.setState({ failure: undefined })}>
					{t('Reload')}
				</button>
			</div>
		);
	}
}
