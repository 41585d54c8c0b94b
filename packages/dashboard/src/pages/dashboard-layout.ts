import { formatDate, type DateStyle } from '@connect-embed/contract';
import { html } from 'hono/html';
import { LOCALE, page } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import type { Membership } from '@connect-embed/api/users/membership';
import { MAX_SEARCH_LENGTH } from '@connect-embed/contract/list-filters';
import { manualLink } from './manual-link.ts';
import { navigation } from './navigation.ts';
import type { FlashMessage, PageContext } from './env.ts';
import { testModeStrip } from './test-mode-strip.ts';

/**
 * Lays out a dashboard page: header, organization switcher, navigation, flash message and content.
 */
export const dashboardPage = (
  pageContext: PageContext,
  title: string,
  content: Html,
  flash = pageContext.flash,
) =>
  page(
    title,
    html`<a class="hidden skip" href="#content">Skip to content</a>
      <header class="bar">
        <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
        ${switcher(pageContext)} ${quickSearch(pageContext)} ${accountMenu(pageContext)}
      </header>
      ${testModeStrip(pageContext.organization)}
      ${
        pageContext.organization &&
        html`<details class="menu">
          <summary>Menu</summary>
          <nav aria-label="Dashboard">${navigation(pageContext)}</nav>
        </details>`
      }
      <div class="shell ${pageContext.organization ? '' : 'single-column'}">
        ${
          pageContext.organization &&
          html`<nav class="side" aria-label="Dashboard">${navigation(pageContext)}</nav>`
        }
        <main id="content" tabindex="-1">
          <div class="title">
            ${pageContext.backLink && html`<a class="back small" href="${pageContext.backLink.href}">${pageContext.backLink.text}</a>`}
            <h1>${title}</h1>
            ${helpLink(pageContext)}
          </div>
          ${pageContext.banner} ${flash && flashView(flash)} ${pageContext.nextStep} ${content}
        </main>
      </div>`,
  );

/** Renders the link to the page of the manual that explains this page. */
function helpLink({ organization, path }: PageContext): Html | '' {
  const base = organization ? organizationPath(organization) : '';
  const link = manualLink(path.startsWith(base) ? path.slice(base.length) : path);
  if (!link) return '';
  return html`<a class="help small" href="${link.href}" target="_blank" rel="noopener"
    >Help<span class="hidden">: ${link.text} (opens in a new tab)</span></a
  >`;
}

const organizationPath = ({ organizationId }: Membership): string => `/dashboard/${organizationId}`;

/**
 * Renders the organization switcher: a list of links in a `<details>` element, which works without
 * JavaScript.
 */
function switcher({ memberships, organization }: PageContext): Html {
  if (memberships.length === 0) return html`<span></span>`;
  const name = organization?.organizationName ?? 'Choose an organization';
  return html`<details class="switcher">
    <summary><span class="hidden">Organization: </span>${name}</summary>
    <ul>
      ${memberships.map(
        ({ organizationId, organizationName, role }) =>
          html`<li>
            <a
              href="/dashboard/${organizationId}"
              ${organizationId === organization?.organizationId ? html`aria-current="true"` : ''}
              >${organizationName} <span class="small muted">${role}</span></a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

/** Renders the menu of what belongs to the person: account, OAuth apps and signing out. */
const accountMenu = ({ person, path }: PageContext): Html =>
  html`<details class="switcher account">
    <summary><span class="hidden">Account: </span>${person.name}</summary>
    <ul>
      ${[
        ['/dashboard/account', 'Account'],
        ['/dashboard/apps', 'OAuth apps'],
      ].map(
        ([href, text]) =>
          html`<li>
            <a href="${href}" ${path === href ? html`aria-current="page"` : ''}>${text}</a>
          </li>`,
      )}
      <li>
        <form method="post" action="/sign-out"><button>Sign out</button></form>
      </li>
    </ul>
  </details>`;

const SEARCHED = ['donations:read', 'donors:read', 'payouts:read'] as const;

/** Renders the search for donations, donors and payouts; empty for a member who may read none of them. */
function quickSearch({ organization, searchText = '' }: PageContext): Html | '' {
  if (!organization || !SEARCHED.some((scope) => organization.permissions.has(scope))) return '';
  return html`<form
    method="post"
    action="/dashboard/${organization.organizationId}/search"
    class="quick-search"
    role="search"
    aria-label="Donations, donors and payouts"
  >
    <label class="hidden" for="quick-search">Search donations, donors and payouts</label>
    <input
      id="quick-search"
      name="q"
      type="search"
      maxlength="${MAX_SEARCH_LENGTH}"
      autocomplete="off"
      placeholder="Reference, name or email"
      value="${searchText}"
    />
    <button class="secondary">Search</button>
  </form>`;
}

const flashView = ({ kind, text, links, secret }: FlashMessage) =>
  html`<div class="notice ${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      links?.length
        ? html`<ul>
            ${links.map((link) => html`<li><a href="${link.href}">${link.text}</a></li>`)}
          </ul>`
        : ''
    }
    ${
      secret &&
      html`<p class="field">
        <label for="secret">${secret.name}</label>
        <input id="secret" class="secret" readonly value="${secret.value}" autofocus />
        <span class="small muted">Copy it now. It will not be shown again.</span>
      </p>`
    }
  </div>`;

/**
 * Returns the time zone for dates on the page: the organization's, or UTC on a page without an
 * organization.
 */
export const timeZoneOf = ({ organization }: Pick<PageContext, 'organization'>): string =>
  organization?.timeZone ?? 'UTC';

const timeElement = (date: Date, style: DateStyle, timeZone: string) =>
  html`<time datetime="${date.toISOString()}"
    >${formatDate(date, style, { timeZone, locale: LOCALE })}</time
  >`;

/** Renders the date of a time in a time zone. The `datetime` attribute contains the exact time. */
export const dateElement = (date: Date, timeZone: string) => timeElement(date, 'date', timeZone);

/**
 * Renders a calendar date that the database stores as midnight UTC. It is the same day in every
 * time zone.
 */
export const calendarDateElement = (date: Date) => dateElement(date, 'UTC');

/** Renders a time to the second, with the name of its time zone. */
export const exactTimeElement = (date: Date, timeZone: string) =>
  timeElement(date, 'exact', timeZone);

/** Renders a time to the minute with its weekday, in the time zone of an event. */
export const eventTimeElement = (date: Date, timeZone: string) =>
  timeElement(date, 'event', timeZone);
