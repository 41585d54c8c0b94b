import { html } from 'hono/html';
import { cardPage } from '../http/page-shell.ts';

/**
 * Renders the error page for an authorization request that cannot be redirected back to the app,
 * because the app is unknown or its redirect URI is not registered. It shows the error code for the
 * app's developer.
 */
export async function renderOauthError({
  error,
  error_description,
}: {
  error: string;
  error_description?: string | undefined;
}): Promise<string> {
  const rendered = await cardPage(
    'This app cannot connect',
    html`<h1>This app cannot connect</h1>
      <p class="muted">
        The app sent an invalid request. No data was shared. Report this error to the app’s
        developer:
      </p>
      <p class="notice problem"><code>${error}</code>: ${error_description ?? ''}</p>`,
  );
  return rendered.toString();
}
