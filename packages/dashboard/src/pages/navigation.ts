import type { Scope } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Membership } from '@connect-embed/api/users/membership';
import type { Html } from '@connect-embed/api/lib/html';
import type { PageContext } from './env.ts';

interface NavigationEntry {
  path: string;
  text: string;
  /**
   * Permission that the page requires. `admin` means any owner or admin; undefined means every
   * member.
   */
  permission?: Scope | 'admin';
  /** Number that the link shows: tasks that wait on its page. */
  waiting?: (pageContext: PageContext) => number | undefined;
  /** True if members with the role `member`, who hold no scopes, also see the link. */
  members?: true;
}

/** Navigation of an organization, in display order. */
const SECTIONS: { title: string; entries: NavigationEntry[] }[] = [
  {
    title: 'Fundraising',
    entries: [
      { path: '', text: 'Home' },
      { path: '/forms', text: 'Forms', permission: 'reference:read', members: true },
      { path: '/donations', text: 'Donations', permission: 'donations:read' },
      { path: '/plans', text: 'Recurring donations', permission: 'donations:read' },
      { path: '/donors', text: 'Donors', permission: 'donors:read' },
      { path: '/payouts', text: 'Payouts', permission: 'payouts:read' },
    ],
  },
  {
    title: 'Programs',
    entries: [
      { path: '/campaigns', text: 'Campaigns', permission: 'reference:read', members: true },
      { path: '/funds', text: 'Funds', permission: 'reference:read', members: true },
      { path: '/events', text: 'Events', permission: 'events:read', members: true },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { path: '/organization', text: 'Name and logo', permission: 'admin' },
      { path: '/team', text: 'Team', permission: 'admin' },
      { path: '/receipts', text: 'Receipts', permission: 'admin' },
      {
        path: '/allowed-sites',
        text: 'Allowed sites',
        permission: 'admin',
        waiting: ({ siteRequests }) => siteRequests,
      },
      { path: '/payments', text: 'Payments', permission: 'admin' },
    ],
  },
  {
    title: 'Developers',
    entries: [
      { path: '/api-keys', text: 'API keys', permission: 'admin' },
      { path: '/webhooks', text: 'Webhooks', permission: 'webhooks:write' },
      { path: '/connected-apps', text: 'Connected apps', permission: 'admin' },
    ],
  },
];

/**
 * Returns whether a member holds the permission, or is an owner or admin where `admin` is required.
 */
export const hasPermission = (
  { role, permissions }: Membership,
  requiredPermission: NavigationEntry['permission'],
): boolean =>
  requiredPermission === undefined ||
  (requiredPermission === 'admin' ? role !== 'member' : permissions.has(requiredPermission));

/** Renders the side navigation with the pages of the organization. */
export const navigation = (pageContext: PageContext): Html =>
  html`${SECTIONS.map((section) => sectionView(pageContext, section))}`;

function sectionView(
  pageContext: PageContext,
  { title, entries }: (typeof SECTIONS)[number],
): Html {
  const { organization } = pageContext;
  const isVisible = ({ permission, members }: NavigationEntry) =>
    organization &&
    ((members && organization.role === 'member') || hasPermission(organization, permission));
  const visibleEntries = entries.filter(isVisible);
  if (!organization || visibleEntries.length === 0) return html``;
  const organizationPath = `/dashboard/${organization.organizationId}`;
  return html`<h2 class="small muted">${title}</h2>
    ${visibleEntries.map(({ path, text, waiting }) =>
      link(pageContext, organizationPath + path, text, waiting?.(pageContext)),
    )}`;
}

const link = (pageContext: PageContext, href: string, text: string, waiting = 0) =>
  html`<a href="${href}" ${ariaCurrent(pageContext, href)}
    >${text}${waiting ? html` <span class="count">${waiting}<span class="hidden"> waiting</span></span>` : ''}</a
  >`;

/** Marks the link of the current page with `page`, and the link of its parent page with `true`. */
function ariaCurrent({ path, organization }: PageContext, href: string): Html {
  if (path === href) return html`aria-current="page"`;
  const organizationPath = organization && `/dashboard/${organization.organizationId}`;
  return href !== organizationPath && path.startsWith(`${href}/`)
    ? html`aria-current="true"`
    : html``;
}
