import { html } from 'hono/html';
import type { RenderError } from '../oauth/authorization-server.ts';
import { card } from './layout.ts';

/**
 * For a request of an app that cannot be sent back to it: there is no such app, or it names an
 * address that it has not registered. The person can do nothing; the developer reads why.
 */
export const renderOauthError: RenderError = async ({ error, error_description }) => {
  const rendered = await card(
    'This application cannot connect',
    html`<h1>This application cannot connect</h1>
      <p class="quiet">
        It sent you here with a request that we cannot answer. Nothing was shared. Please tell the
        people who make it:
      </p>
      <p class="notice problem"><code>${error}</code>: ${error_description ?? ''}</p>`,
  );
  return rendered.toString();
};
