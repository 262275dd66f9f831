// What remains when drawing fails. Around the panel: a sentence and a button that asks the host for its state and draws again.
// Around a row: one line in its place, so that the rest stays. Nothing is lost, as the host owns the conversation.
import { t } from '@vscode/l10n';
import { Component } from 'preact';
import type { ComponentChildren } from 'preact';

interface Props {
	readonly children: ComponentChildren;
	/** Asks for the host's state and then calls `retry`. Without it: the boundary of a row. */
	readonly onReload?: (retry: () => void) => void;
}

export class ErrorBoundary extends Component<Props, { readonly failure: string | undefined }> {
	override state = { failure: undefined as string | undefined };

	static override getDerivedStateFromError(error: unknown) {
		return { failure: error instanceof Error ? error.message : String(error) };
	}

	override render() {
		const { children, onReload } = this.props;
		const { failure } = this.state;
		if (failure === undefined) return children;
		if (!onReload) return <p class="small">{t('This part could not be drawn: {0}', failure)}</p>;
		return (
			<div class="broken" role="alert">
				<p>{t('The panel could not draw this conversation. Nothing is lost: it lives outside of the panel.')}</p>
				<p class="small">{failure}</p>
				<button type="button" class="primary" onClick={() => onReload(() => this.setState({ failure: undefined }))}>
					{t('Reload')}
				</button>
			</div>
		);
	}
}
