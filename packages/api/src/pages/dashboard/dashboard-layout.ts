import { formatDate, type DateStyle } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Membership } from '../../users/membership.ts';
import type { Person } from '../../users/people.ts';
import { LOCALE, page, type Html } from '../layout.ts';
import { navigation } from './navigation.ts';

/** Who looks at a page of the dashboard, and where they are. */
export interface PageContext {
  person: Person;
  /** Every organization that they belong to. */
  memberships: Membership[];
  /** The one that the page is about; on pages about the person the one where they were last. */
  organization?: Membership;
  /** Path of the page, to mark it in the navigation. */
  path: string;
  /** What the form before this page came to. */
  notice?: FlashMessage;
  /** What every page of the organization says at the moment. */
  banner?: Html;
  /** The place one step up. */
  back?: { href: string; text: string };
}

/** What just happened, above everything else on a page. */
export interface FlashMessage {
  kind: 'good' | 'problem';
  text: string;
  /** Shown this once. */
  secret?: { name: string; value: string };
}

/** A page of the dashboard: where one is, where one can go, and the content. */
export const frame = (place: PageContext, title: string, content: Html, notice = place.notice) =>
  page(
    title,
    html`<a class="hidden skip" href="#content">To the content</a>
      <header class="bar">
        <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
        ${switcher(place)}
        <form method="post" action="/sign-out">
          <button class="link small">
            Sign out<span class="wide"> ${place.person.name}</span>
          </button>
        </form>
      </header>
      <details class="menu">
        <summary>Menu</summary>
        <nav aria-label="Dashboard">${navigation(place)}</nav>
      </details>
      <div class="shell">
        <nav class="side" aria-label="Dashboard">${navigation(place)}</nav>
        <main id="content" tabindex="-1">
          <div class="title">
            ${place.back && html`<a class="back small" href="${place.back.href}">${place.back.text}</a>`}
            <h1>${title}</h1>
          </div>
          ${place.banner} ${notice && flashView(notice)} ${content}
        </main>
      </div>`,
  );

/** A disclosure with links: it needs no script, and every choice is an address. */
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
              >${organizationName} <span class="small quiet">${role}</span></a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

const flashView = ({ kind, text, secret }: FlashMessage) =>
  html`<div class="notice ${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      secret &&
      html`<p class="field">
        <label for="secret">${secret.name}</label>
        <input id="secret" class="secret" readonly value="${secret.value}" autofocus />
        <span class="small quiet">Copy it now: it cannot be shown again.</span>
      </p>`
    }
  </div>`;

/** The time zone that a page shows dates in: the organization's, and UTC where there is none. */
export const timeZoneOf = ({ organization }: Pick<PageContext, 'organization'>): string =>
  organization?.timeZone ?? 'UTC';

const timeElement = (date: Date, style: DateStyle, timeZone: string) =>
  html`<time datetime="${date.toISOString()}"
    >${formatDate(date, style, { timeZone, locale: LOCALE })}</time
  >`;

/** The day of a moment in a time zone; the exact moment is in the markup. */
export const day = (date: Date, timeZone: string) => timeElement(date, 'date', timeZone);

/** A day of the calendar that the database keeps as midnight UTC: the same in every time zone. */
export const calendarDay = (date: Date) => day(date, 'UTC');

/** A moment to the second, with the name of its time zone. */
export const moment = (date: Date, timeZone: string) => timeElement(date, 'exact', timeZone);

/** A moment to the minute with its weekday, as the clock shows it where an event takes place. */
export const clock = (date: Date, timeZone: string) => timeElement(date, 'event', timeZone);
