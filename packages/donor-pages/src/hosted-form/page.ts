import type { FormSettings } from '@connect-embed/contract';
import {
  createTranslator,
  preferredLanguageTag,
  type MessageKey,
  type Translator,
} from '@connect-embed/locales';
import { html } from 'hono/html';
import { brand, messageContent, shell, type Html } from '../page/shell.ts';
import type { Appearance } from './appearance.ts';
import { FRAMED_SCRIPT_FILE, STYLE_FILE } from './assets.ts';
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
  /** Address of the server of the form. */
  server: string;
  /** Name of the form at that server; absent for a preview, which has one form without a name. */
  form?: string;
  organization: string;
  translator: HostedTranslator;
  appearance: Appearance;
  /** How the page shows the form, by default `inline`. */
  display?: FormSettings['display'];
}

/** Renders the hosted page of an embed session: the organization's name and the donation form. */
export const hostedPage = (page: HostedPage): Html => {
  const { base, server, form, organization, translator, appearance, display = 'inline' } = page;
  const t = (key: Parameters<HostedTranslator['translate']>[0]) =>
    translator.translate(key, { org: organization });
  return hostedShell(
    page,
    t('title'),
    html`<header ${appearance.framedBy ? html`role="presentation"` : ''}>
        <div class="brand">
          ${brand(organization, { label: html`<h1 class="name">${organization}</h1>` })}
        </div>
      </header>
      <main aria-label="${t('title')}">
        ${display === 'modal' ? html`<a href="#donate">${EXAMPLE_LINK}</a>` : ''}
        <connect-donate
          id="donate"
          server="${server}"
          ${form === undefined ? '' : html`form="${form}"`}
          display="${display}"
        >
          <p class="note muted late">${t('loadFailed')}</p>
        </connect-donate>
        <noscript>
          <div class="note">
            <h2>${t('needsScript')}</h2>
            <p class="muted">${t('needsScriptText')}</p>
          </div>
        </noscript>
      </main>
      <footer>
        <p>${t('footer')}</p>
      </footer>`,
    html`<script type="module" src="${base}/embed/${SCRIPT}"></script>`,
  );
};

/** Renders an error page without a form. It says what happened and how the donor can continue. */
export const hostedErrorPage = (
  base: string,
  translator: HostedTranslator,
  [title, text]: readonly [title: string, text: string],
  appearance: Appearance,
): Html => hostedShell({ base, translator, appearance }, title, messageContent(title, text));

const hostedShell = (
  {
    base,
    translator,
    appearance: { theme, framedBy },
  }: Pick<HostedPage, 'base' | 'translator' | 'appearance'>,
  title: string,
  content: Html,
  script: Html | '' = '',
) =>
  shell(
    {
      translator,
      title,
      theme,
      layout: framedBy ? 'framed' : 'narrow',
      head: html`<link rel="stylesheet" href="${base}/embed/${STYLE_FILE}" /> ${script}
        ${framedBy ? framedScript(base, framedBy) : ''}`,
    },
    content,
  );

const framedScript = (base: string, sites: readonly string[]) =>
  html`<script
    defer
    src="${base}/embed/${FRAMED_SCRIPT_FILE}"
    data-sites="${sites.join(' ')}"
  ></script>`;
