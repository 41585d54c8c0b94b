import { html } from 'hono/html';
import type { Membership } from '../../users/membership.ts';
import type { Person } from '../../users/people.ts';
import { page, type Html } from '../layout.ts';

/** Who looks at a page of the dashboard, and where they are. */
export interface Place {
  person: Person;
  /** Every organization that they belong to. */
  memberships: Membership[];
  /** The one that the page is about; none on pages about the person. */
  organization?: Membership;
  /** Path of the page, to mark it in the navigation. */
  path: string;
}

/** What just happened, above everything else on a page. */
export interface Notice {
  kind: 'good' | 'problem';
  text: string;
  /** Shown this once. */
  secret?: { name: string; value: string };
}

/** A page of the dashboard: where one is, where one can go, and the content. */
export const frame = (place: Place, title: string, content: Html, notice?: Notice) =>
  page(
    title,
    html`<a class="hidden skip" href="#content">To the content</a>
      <header class="bar">
        <p class="brand"><span class="mark" aria-hidden="true"></span>Connect</p>
        ${switcher(place)}
        <form method="post" action="/sign-out">
          <button class="link small">Sign out ${place.person.name}</button>
        </form>
      </header>
      <div class="shell">
        <nav aria-label="Developers">
          ${place.organization && organizationLinks(place, place.organization.organizationId)}
          <h2 class="small quiet">Your own</h2>
          ${link(place, '/dashboard/apps', 'OAuth apps')}
        </nav>
        <main id="content">
          <h1>${title}</h1>
          ${notice && noticeView(notice)} ${content}
        </main>
      </div>`,
  );

const organizationLinks = (place: Place, id: string) =>
  html`<h2 class="small quiet">Developers</h2>
    ${link(place, `/dashboard/${id}/api-keys`, 'API keys')}
    ${link(place, `/dashboard/${id}/connected-apps`, 'Connected apps')}`;

const link = ({ path }: Place, href: string, text: string) =>
  html`<a href="${href}" ${path === href ? html`aria-current="page"` : ''}>${text}</a>`;

/** A disclosure with links: it needs no script, and every choice is an address. */
function switcher({ memberships, organization }: Place): Html {
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

const noticeView = ({ kind, text, secret }: Notice) =>
  html`<div class="notice ${kind}" role="${kind === 'problem' ? 'alert' : 'status'}">
    <p>${text}</p>
    ${
      secret &&
      html`<p class="field">
        <label for="secret">${secret.name}</label>
        <input id="secret" class="secret" readonly value="${secret.value}" autofocus />
        <span class="small quiet">
          Copy it now: only its fingerprint is kept, and it cannot be shown again.
        </span>
      </p>`
    }
  </div>`;

/** A moment as people read it; the exact one is in the markup. */
export const day = (date: Date) =>
  html`<time datetime="${date.toISOString()}"
    >${date.toLocaleDateString('en', { dateStyle: 'medium', timeZone: 'UTC' })}</time
  >`;
