import type { FormSettings } from '@connect-embed/contract';
import { initialOf } from '@connect-embed/contract/initial';
import {
  createTranslator,
  preferredLanguageTag,
  type MessageKey,
  type Translator,
} from '@connect-embed/locales';
import { html } from 'hono/html';
import { ICON, STYLE_PATH } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { FRAMED_SCRIPT_FILE, HOSTED_STYLE_FILE } from './assets.ts';
import type { Appearance } from './theme.ts';
import { SCRIPT } from '@connect-embed/api/lib/built-script';

/** Translates the hosted page around the donation form. The form has its own messages. */
type HostedTranslator = Translator<MessageKey<'hostedPage' | 'donationPage'>>;

/**
 * Creates a translator for the first supported language of the visitor's browser, or for English.
 *
 * @param accepted the `Accept-Language` header: `de-AT,de;q=0.9,en;q=0.8`
 */
export const createHostedTranslator = (accepted: string | undefined): HostedTranslator =>
  createTranslator(preferredLanguageTag(accepted), 'hostedPage', 'donationPage');

/** Text of a page's link that opens the form, as in the code for websites: `packages/dashboard/src/forms/share/snippets.ts`. */
const EXAMPLE_LINK = 'Donate';

/** Data of a page with a donation form. */
interface HostedPage {
  base: string;
  /** Address of the endpoints of the form. */
  server: string;
  organization: string;
  translator: HostedTranslator;
  appearance: Appearance;
  /** How the page shows the form, by default `inline`. */
  display?: FormSettings['display'];
}

/** Renders the hosted page of an embed session: the organization's name and the donation form. */
export const hostedPage = (page: HostedPage): Html => {
  const { base, server, organization, translator, appearance, display = 'inline' } = page;
  const t = (key: Parameters<HostedTranslator['translate']>[0]) =>
    translator.translate(key, { org: organization });
  return shell(
    base,
    translator,
    t('title'),
    html`<header class="donation-column" ${appearance.framedBy ? html`role="presentation"` : ''}>
        <span class="initial" aria-hidden="true">${initialOf(organization)}</span>
        <h1>${organization}</h1>
      </header>
      <main class="donation-column" aria-label="${t('title')}">
        ${display === 'modal' ? html`<a href="#donate">${EXAMPLE_LINK}</a>` : ''}
        <connect-donate id="donate" server="${server}" display="${display}">
          <p class="note late">${t('loadFailed')}</p>
        </connect-donate>
        <noscript>
          <div class="note">
            <h2>${t('needsScript')}</h2>
            <p class="muted">${t('needsScriptText')}</p>
          </div>
        </noscript>
      </main>
      <footer class="donation-column">
        <p>${t('footer')}</p>
      </footer>`,
    appearance,
    html`<script type="module" src="${base}/embed/${SCRIPT}"></script>`,
  );
};

/** Renders an error page without a form. It says what happened and how the donor can continue. */
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
    html`<main class="donation-column" aria-label="${title}">
      <div class="note">
        <h1>${title}</h1>
        <p class="muted">${text}</p>
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

/**
 * Values of the CSS property `color-scheme`. The stylesheet and the frame script read them from the
 * page's meta element: `page.css`.
 */
const SCHEMES = { light: 'light', dark: 'dark', auto: 'light dark' };

const framedScript = (base: string, sites: readonly string[]) =>
  html`<script
    defer
    src="${base}/embed/${FRAMED_SCRIPT_FILE}"
    data-sites="${sites.join(' ')}"
  ></script>`;
