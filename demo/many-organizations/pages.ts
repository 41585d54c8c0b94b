import { html } from 'hono/html';
import type { Customer } from './customers.ts';
import type { Config } from './config.ts';

type Html = ReturnType<typeof html>;

const page = (title: string, content: Html) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          body {
            max-width: 60rem;
            margin: 2rem auto;
            padding: 0 1rem;
            font-family: system-ui, sans-serif;
          }
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${content}
      </body>
    </html>`;

/** A real platform has accounts with passwords. */
export const signInPage = () =>
  page(
    'Sign in',
    html`<form method="post" action="/sign-in">
      <label>Customer <input name="customer" required /></label> <button>Sign in</button>
    </form>`,
  );

/** @param error why the connection failed, as an OAuth error code */
export const connectPage = (error?: string) =>
  page(
    'Your donations',
    html`${error === 'access_denied' ? html`<p role="status">Your organization was not connected.</p>` : ''}
      ${error && error !== 'access_denied' ? html`<p role="alert">The connection failed. Try again.</p>` : ''}
      <p>Connect your organization to see its donations and payouts here.</p>
      <p><a href="/connect/oauth/start">Connect your organization</a></p>`,
  );

export const tablesPage = (
  { PLATFORM_ORIGIN: origin }: Config,
  { organization_id }: Customer,
  viewerToken: string,
  events: string[],
) =>
  page(
    'Your donations',
    html`<script type="module" src="/connect/connect.js"></script>
      <p>Connected: <code>${organization_id}</code></p>
      <connect-provider server="${origin}/connect" viewer-token="${viewerToken}">
        <connect-donations tools="search filters" limit="10"></connect-donations>
        <connect-payouts limit="5"></connect-payouts>
      </connect-provider>
      <h2>Events</h2>
      <ul>
        ${events.map((event) => html`<li>${event}</li>`)}
      </ul>
      <form method="post" action="/leave"><button>Disconnect your organization</button></form>`,
  );
