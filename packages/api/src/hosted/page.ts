import { html } from 'hono/html';
import { ICON, STYLE_PATH, type Html } from '../pages/layout.ts';
import { FRAMED_SCRIPT_FILE, HOSTED_STYLE_FILE } from './files.ts';
import type { Look } from './look.ts';
import { SCRIPT } from './scripts.ts';
import type { HostedSpeech } from './words.ts';

/** What the page of one embed session is made of. */
interface HostedPage {
  base: string;
  session: string;
  organization: string;
  speech: HostedSpeech;
  look: Look;
}

/** The page of one embed session: the organization's name, and the form under it. */
export const hostedPage = (page: HostedPage): Html => {
  const { base, session, organization, speech, look } = page;
  const say = (key: Parameters<HostedSpeech['say']>[0]) => speech.say(key, organization);
  return shell(
    base,
    speech,
    say('title'),
    html`<header class="giving">
        <span class="initial" aria-hidden="true">${initialOf(organization)}</span>
        <h1>${organization}</h1>
      </header>
      <main class="giving" aria-label="${say('title')}">
        <connect-donate server="${base}/embed/${session}">
          <p class="note late">${say('late')}</p>
        </connect-donate>
        <noscript>
          <div class="note">
            <h2>${say('needsScript')}</h2>
            <p class="quiet">${say('needsScriptText')}</p>
          </div>
        </noscript>
      </main>
      <footer class="giving">
        <p>${say('footer')}</p>
      </footer>`,
    look,
    html`<script type="module" src="${base}/embed/${SCRIPT}"></script>`,
  );
};

/** Says in a sentence why there is no form here, and what to do. */
export const hostedProblem = (
  base: string,
  speech: HostedSpeech,
  [title, text]: readonly [title: string, text: string],
  look: Look,
): Html =>
  shell(
    base,
    speech,
    title,
    html`<main class="giving" aria-label="${title}">
      <div class="note">
        <h1>${title}</h1>
        <p class="quiet">${text}</p>
      </div>
    </main>`,
    look,
  );

const shell = (
  base: string,
  { locale, direction }: HostedSpeech,
  title: string,
  content: Html,
  { framedBy, theme }: Look,
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
