import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import { ICON, STYLE_PATH, type Html } from '../pages/layout.ts';
import { SCRIPT } from './scripts.ts';

export const HOSTED_STYLE = readFileSync(new URL('page.css', import.meta.url), 'utf8');
const HASH = createHash('sha256').update(HOSTED_STYLE).digest('base64url').slice(0, 12);
/** Carries its content in its name, so that browsers may keep it for ever. */
export const HOSTED_STYLE_FILE = `${HASH}.css`;

/** The page of one embed session: the organization's name, and the form under it. */
export const hostedPage = (base: string, session: string, organization: string): Html =>
  shell(
    base,
    `Give to ${organization}`,
    html`<header class="giving">
        <span class="initial" aria-hidden="true">${initialOf(organization)}</span>
        <h1>${organization}</h1>
      </header>
      <main class="giving" aria-label="Give to ${organization}">
        <connect-donate server="${base}/embed/${session}">
          <p class="note late">
            The form has not come. Please reload this page, or ask ${organization} for another way
            to give.
          </p>
        </connect-donate>
        <noscript>
          <div class="note">
            <h2>This form needs JavaScript</h2>
            <p class="quiet">
              The card processor takes your card in a frame of its own, which works with JavaScript
              only. Please allow it for this page, or ask ${organization} for another way to give.
            </p>
          </div>
        </noscript>
      </main>
      <footer class="giving">
        <p>A page of Connect, which takes gifts for ${organization}.</p>
      </footer>`,
    html`<script type="module" src="${base}/embed/${SCRIPT}"></script>`,
  );

/** Says in a sentence why there is no form here, and what to do. */
export const hostedProblem = (base: string, title: string, text: string): Html =>
  shell(
    base,
    title,
    html`<main class="giving">
      <div class="note">
        <h1>${title}</h1>
        <p class="quiet">${text}</p>
      </div>
    </main>`,
  );

const shell = (base: string, title: string, content: Html, script: Html | '' = '') =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${base}${STYLE_PATH}" />
        <link rel="stylesheet" href="${base}/embed/${HOSTED_STYLE_FILE}" />
        ${script}
      </head>
      <body class="hosted">
        ${content}
      </body>
    </html>`;

/** The first letter of a name, whole: not half of a surrogate pair. */
const initialOf = (name: string) =>
  (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '♥').toLocaleUpperCase('en');
