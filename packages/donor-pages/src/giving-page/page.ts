import { html, raw } from 'hono/html';
import type { GivingPage, GivingPageTranslator, PageState } from './giving-page.ts';
import { metaTags } from './meta.ts';
import type { OrganizationProfile } from './organizations.ts';
import type { Selection } from './prefill.ts';
import { story } from './story.ts';
import { brand, shell } from '../page/shell.ts';
import { STYLE } from '../page/style.ts';

/** Renders a giving page: docs/decisions/0100-giving-pages.md */
export function givingPage(page: GivingPage) {
  const { translator, state } = page;
  const title = headingOf(page);
  return shell(
    {
      translator,
      title: documentTitle(page, title),
      theme: page.theme,
      layout: state.kind === 'live' ? 'wide' : 'narrow',
      robots: page.isIndexable ? 'index, follow' : 'noindex',
      ...(page.logo && { icon: page.logo }),
      head: html`<meta name="theme-color" content="#f3f5f4" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#0e1113" media="(prefers-color-scheme: dark)" />
        ${metaTags(page, title)}
        <style nonce="${page.nonce}">
          ${raw(styleOf(page))}
        </style>
        ${state.kind === 'live' ? html`<script type="module" src="${page.root}connect.js"></script>` : ''}`,
    },
    html`${page.organization ? header(page, page.organization) : html`<header></header>`}
      <main>${mainContent(page, title)}</main>
      ${page.organization ? footer(page, page.organization) : html`<footer></footer>`}`,
  );
}

const styleOf = ({ accent }: GivingPage) =>
  accent ? `:root { --form-accent: ${accent} }${STYLE}` : STYLE;

/** Returns the heading of the page in the language of the visitor. */
function headingOf({ state, title, ...page }: GivingPage): string {
  if (state.kind === 'notFound' || state.kind === 'unavailable')
    return page.translator.translate(state.kind);
  return title ?? usualTitle(page);
}

/** The title of a page that has none of its own. */
const usualTitle = (page: Pick<GivingPage, 'translator' | 'organization'>) =>
  page.translator.translate('title', organizationOf(page));

/** The placeholder for the organization in messages. */
const organizationOf = ({ organization }: Pick<GivingPage, 'organization'>) => ({
  org: organization?.name ?? '',
});

function documentTitle({ organization, title }: GivingPage, heading: string): string {
  return organization && title !== null ? `${heading} · ${organization.name}` : heading;
}

function header({ logo }: GivingPage, { name, website }: OrganizationProfile) {
  const mark = brand(name, { logo });
  return html`<header>
    ${website ? html`<a class="brand" href="${website}">${mark}</a>` : html`<p class="brand">${mark}</p>`}
  </header>`;
}

const footer = ({ translator }: GivingPage, { name: org }: OrganizationProfile) =>
  html`<footer><p>${translator.translate('footer', { org })}</p></footer>`;

function contactLinks(
  { translate }: GivingPageTranslator,
  { website, contact_email: address }: OrganizationProfile,
) {
  if (!website && !address) return '';
  return html`<ul>
    ${
      website
        ? html`<li>
            <a href="${website}">${translate('website', { site: new URL(website).host })}</a>
          </li>`
        : ''
    }
    ${
      address
        ? html`<li>
            <a href="mailto:${encodeURI(address)}"> ${translate('email', { address: address })} </a>
          </li>`
        : ''
    }
  </ul>`;
}

function mainContent(page: GivingPage, title: string) {
  const { state, translator } = page;
  if (state.kind === 'live') return liveContent(page, state, title);
  if (state.kind === 'closed') return closedContent(page, state, title);
  return html`<div class="note">
    <h1>${title}</h1>
    <p class="muted">${translator.translate(`${state.kind}Text`)}</p>
    ${contactSection(page)}
  </div>`;
}

function liveContent(page: GivingPage, state: PageState & { kind: 'live' }, title: string) {
  const { translator } = page;
  const { name, selection } = state;
  const attribute = (field: keyof Selection) =>
    selection[field] === undefined ? '' : html` ${field}="${selection[field]}"`;
  return html`${introduction(page, state, title)}
    <section aria-label="${usualTitle(page)}">
      <connect-donate
        display="inline"
        form="${name}"
        ${attribute('amount')}
        ${attribute('frequency')}
        ${attribute('fund')}
      >
        <p class="note muted late">${translator.translate('loadFailed', organizationOf(page))}</p>
      </connect-donate>
      <noscript>${needsScript(page)}</noscript>
    </section>
    <div class="more">
      ${page.story === null ? '' : html`<div class="story">${story(page.story)}</div>`}
      ${page.organization ? trustLines(page.translator, page.organization) : ''}
    </div>`;
}

/** Renders who receives the donation, as far as the organization has said so. */
const trustLines = (translator: GivingPageTranslator, organization: OrganizationProfile) =>
  html`<div class="trust">
    <h2><bdi>${organization.legal_name ?? organization.name}</bdi></h2>
    ${organization.tax_id ? html`<p>${translator.translate('taxId', { id: organization.tax_id })}</p>` : ''}
    ${contactLinks(translator, organization)}
  </div>`;

/** Renders for donors without JavaScript how to reach the organization, which can name other ways to give. */
const needsScript = (page: GivingPage) =>
  html`<div class="note">
    <h2>${page.translator.translate('needsScript')}</h2>
    <p class="muted">${page.translator.translate('needsScriptText', organizationOf(page))}</p>
    ${contactSection(page)}
  </div>`;

/**
 * Renders picture, title, description and goal. In one column, where the form follows, a usual title alone is
 * only for screen readers, because the form shows a similar one, and the goal is hidden, because the form shows it.
 */
function introduction(
  { title: ownTitle, description, picture }: GivingPage,
  { goal }: PageState & { kind: 'live' },
  title: string,
) {
  const paragraphs = (description ?? '').split(/\n+/).filter(Boolean);
  const isUsual = ownTitle === null && description === null && picture === null;
  return html`<div class="about ${isUsual ? 'usual' : ''}">
    ${
      picture &&
      html`<img
        class="picture"
        src="${picture.url}"
        width="${picture.width}"
        height="${picture.height}"
        alt="${picture.alt}"
      />`
    }
    <h1 dir="auto">${title}</h1>
    ${paragraphs.map((text) => html`<p dir="auto">${text}</p>`)}
    ${goal === undefined ? '' : html`<connect-goal campaign="${goal}"></connect-goal>`}
  </div>`;
}

function closedContent(
  page: GivingPage,
  { hasCampaignEnded, otherForms }: PageState & { kind: 'closed' },
  title: string,
) {
  const { translate } = page.translator;
  return html`<div class="about"><h1 dir="auto">${title}</h1></div>
    <div class="note">
      <h2>
        ${hasCampaignEnded ? page.formTranslator.translate('campaignEnded') : translate('closed')}
      </h2>
      <p class="muted">${translate('closedText', organizationOf(page))}</p>
      ${
        otherForms.length > 0
          ? html`<h2>${translate('otherForms')}</h2>
              <ul>
                ${otherForms.map(
                  ({ slug, title: own }) =>
                    html`<li><a href="${slug}" dir="auto">${own ?? usualTitle(page)}</a></li>`,
                )}
              </ul>`
          : ''
      }
      ${contactSection(page)}
    </div>`;
}

/** Renders how to reach the organization, if it has said so. */
function contactSection({ translator, organization }: GivingPage) {
  if (!organization || (!organization.website && !organization.contact_email)) return '';
  const org = organization.name;
  return html`<h2>${translator.translate('contact', { org })}</h2>
    ${contactLinks(translator, organization)}`;
}
