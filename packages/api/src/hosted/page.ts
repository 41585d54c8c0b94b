import { html } from 'hono/html';
import { ICON, STYLE_PATH, type Html } from '../pages/layout.ts';
import { FRAMED_SCRIPT_FILE, HOSTED_STYLE_FILE } from './assets.ts';
import type { Appearance } from './theme.ts';
import { SCRIPT } from './scripts.ts';
import type { HostedTranslator } from './messages.ts';

/** What the page of one embed session is made of. */
interface HostedPage {
  base: string;
  session: string;
  organization: string;
  translator: HostedTranslator;
  appearance: Appearance;
}

/** The page of one embed session: the organization's name, and the form under it. */
export const hostedPage = (page: HostedPage): Html => {
  const { base, session, organization, translator, appearance } = page;
  const t = (key: Parameters<HostedTranslator['translate']>[0]) =>
    translator.translate(key, organization);
  return shell(
    base,
    translator,
    t('title'),
    html`<header class="giving">
        <span class="initial" aria-hidden="true">${initialOf(organization)}</span>
        <h1>${organization}</h1>
      </header>
      <main class="giving" aria-label="${t('title')}">
        <connect-donate server="${base}/embed/${session}">
          <p class="note late">${t('late')}</p>
        </connect-donate>
        <noscript>
          <div class="note">
            <h2>${t('needsScript')}</h2>
            <p class="quiet">${t('needsScriptText')}</p>
          </div>
        </noscript>
      </main>
      <footer class="giving">
        <p>${t('footer')}</p>
      </footer>`,
    appearance,
    html`<script type="module" src="${base}/embed/${SCRIPT}"></script>`,
  );
};

/** Says in a sentence why there is no form here, and what to do. */
export const hostedErrorPage = (
  base: string,
  translator: HostedTranslator,
  [title, text]: readonly [title: string, text: string],
  appearance: Appearance,
): Html =>
  shell(
    base,
    translator,
    title,
    html`<main class="giving" aria-label="${title}">
      <div class="note">
        <h1>${title}</h1>
        <p class="quiet">${text}</p>
      </div>
    </main>`,
    appearance,
  );

const shell = (
  base: string,
  { locale, direction }: HostedTranslator,
  title: string,
  content: Html,
  { framedBy, theme }: Appearance,
  script: Html | '' = '',
) =>
  html`<!doctype html>
    <html lang="${locale}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${SCHEMES[theme]}" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${ICON}" />
        <link rel="stylesheet" href="${base}${STYLE_PATH}" />
        <link rel="stylesheet" href="${base}/embed/${HOSTED_STYLE_FILE}" />
        ${script} ${framedBy ? framedScript(base, framedBy) : ''}
      </head>
      <body class="hosted${framedBy ? ' framed' : ''}">
        ${content}
      </body>
    </html>`;

/** As CSS says it; the style sheet and the script in a frame read it off the page: `page.css`. */
const SCHEMES = { light: 'light', dark: 'dark', auto: 'light dark' };

const framedScript = (base: string, sites: readonly string[]) =>
  html`<script
    defer
    src="${base}/embed/${FRAMED_SCRIPT_FILE}"
    data-sites="${sites.join(' ')}"
  ></script>`;

/** The first letter of a name, whole: not half of a surrogate pair. */
const initialOf = (name: string) =>
  (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '♥').toLocaleUpperCase('en');
