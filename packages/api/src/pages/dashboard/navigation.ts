import type { Scope } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Membership } from '../../users/membership.ts';
import type { Html } from '../layout.ts';
import type { Place } from './frame.ts';

/** A place of an organization: the end of its address, its name, and whom it is for. */
interface Entry {
  path: string;
  text: string;
  /** The permission that it takes; `admin` for any owner or admin; everybody when left out. */
  needs?: Scope | 'admin';
  /** Plain members, who hold no permission, go there too. */
  members?: true;
}

/** Every place of an organization, in the order of the navigation. */
const SECTIONS: { title: string; entries: Entry[] }[] = [
  {
    title: 'Fundraising',
    entries: [
      { path: '', text: 'Home' },
      { path: '/donations', text: 'Donations', needs: 'donations:read' },
      { path: '/plans', text: 'Recurring donations', needs: 'donations:read' },
      { path: '/donors', text: 'Donors', needs: 'donors:read' },
      { path: '/payouts', text: 'Payouts', needs: 'payouts:read' },
    ],
  },
  {
    title: 'Programs',
    entries: [
      { path: '/campaigns', text: 'Campaigns', needs: 'reference:read', members: true },
      { path: '/funds', text: 'Funds', needs: 'reference:read', members: true },
      { path: '/events', text: 'Events', needs: 'events:read', members: true },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { path: '/team', text: 'Team', needs: 'admin' },
      { path: '/receipts', text: 'Receipts', needs: 'admin' },
      { path: '/payments', text: 'Card payments', needs: 'admin' },
    ],
  },
  {
    title: 'Developers',
    entries: [
      { path: '/api-keys', text: 'API keys', needs: 'admin' },
      { path: '/webhooks', text: 'Webhooks', needs: 'webhooks:write' },
      { path: '/connected-apps', text: 'Connected apps', needs: 'admin' },
    ],
  },
];

/** Whether a member may go there. */
export const may = ({ role, permissions }: Membership, needs: Entry['needs']): boolean =>
  needs === undefined || (needs === 'admin' ? role !== 'member' : permissions.has(needs));

/** The links of the side: the organization's places, then the person's own. */
export const navigation = (place: Place): Html =>
  html`${place.organization && SECTIONS.map((section) => sectionView(place, section))}
    <h2 class="small quiet">Your own</h2>
    ${link(place, '/dashboard/account', 'Account')} ${link(place, '/dashboard/apps', 'OAuth apps')}`;

function sectionView(place: Place, { title, entries }: (typeof SECTIONS)[number]): Html {
  const { organization } = place;
  const isOpen = ({ needs, members }: Entry) =>
    organization && ((members && organization.role === 'member') || may(organization, needs));
  const open = entries.filter(isOpen);
  if (!organization || open.length === 0) return html``;
  const home = `/dashboard/${organization.organizationId}`;
  return html`<h2 class="small quiet">${title}</h2>
    ${open.map(({ path, text }) => link(place, home + path, text))}`;
}

const link = (place: Place, href: string, text: string) =>
  html`<a href="${href}" ${here(place, href)}>${text}</a>`;

/** The page itself, or the place that it belongs to. */
function here({ path, organization }: Place, href: string): Html {
  if (path === href) return html`aria-current="page"`;
  const home = organization && `/dashboard/${organization.organizationId}`;
  return href !== home && path.startsWith(`${href}/`) ? html`aria-current="true"` : html``;
}
