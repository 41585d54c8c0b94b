import { html } from 'hono/html';
import { sql } from 'kysely';
import type { Deps } from '../pages/deps.ts';
import { readPage } from '@connect-embed/api/resources/lists/page';
import { DEFAULT_DURATION_MS } from '@connect-embed/api/resources/events/event-state';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import { eventTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { listView, tabs } from '../pages/list.ts';
import { organizationPath, renderPage } from '../pages/render-page.ts';
import type { Column } from '../pages/table.ts';
import { FORMAT_LABELS, priceText, stateBadge } from './event-labels.ts';
import { forOrganization, type OrganizationScope } from '@connect-embed/api/db/organization-scope';

/** The views of the event list, with the text of an empty one. */
const VIEWS = {
  all: { text: 'All', empty: 'No events yet.' },
  upcoming: { text: 'Upcoming', empty: 'No upcoming events.' },
  drafts: { text: 'Drafts', empty: 'No drafts.' },
} as const;
type View = keyof typeof VIEWS;

/** Renders the dashboard's list of events. The URL parameter `show` selects a view. */
export async function renderEventList(
  c: DashboardContext,
  { db, cursorEncrypter }: Pick<Deps, 'db' | 'cursorEncrypter'>,
) {
  const path = organizationPath(c, '/events');
  const views = Object.keys(VIEWS) as View[];
  const view = views.find((name) => name === c.req.query('show')) ?? 'all';
  const list = await listView(c, {
    label: 'Events',
    path,
    table: 'event',
    filters: { filter: view },
    params: view === 'all' ? {} : { show: view },
    read: (page) =>
      readPage(
        cursorEncrypter,
        page,
        selectEvents(forOrganization(db, page.organizationId), view),
        (row) => row,
        // What comes next is first; in the other views, what comes last.
        { column: 'starts_at', isAscending: view === 'upcoming' },
      ),
    columns: columnsAt(path, c.var.organization.currency),
    empty: VIEWS[view].empty,
  });
  const links = views.map((name) => ({
    text: VIEWS[name].text,
    href: name === 'all' ? path : `${path}?show=${name}`,
    current: name === view,
  }));
  const mayEdit = hasPermission(c.var.organization, 'admin');
  const content = html`<div class="head">
      ${tabs('Show', links)}
      ${mayEdit ? html`<a class="button" href="${path}/new">New event</a>` : ''}
    </div>
    ${list}`;
  return renderPage(c, { title: 'Events', content });
}

/** Also an event that has begun is upcoming until it ends, unlike in the API (spec: Read endpoints). */
const endOfEvent = sql<Date>`coalesce(event.ends_at, event.starts_at + ${DEFAULT_DURATION_MS} * interval '1 ms')`;

function selectEvents(organization: OrganizationScope, view: View) {
  const events = organization.selectFrom('event').selectAll('event');
  if (view === 'upcoming') return events.where(endOfEvent, '>=', new Date());
  if (view === 'all') return events;
  return events.where('event.published', '=', false).where('event.cancelled_at', 'is', null);
}

const columnsAt = (path: string, currency: string): Column<EventRow>[] => [
  {
    head: 'Event',
    as: 'rowHeader',
    cell: ({ id, title }) => html`<a href="${path}/${id}">${title}</a>`,
  },
  { head: 'Status', cell: stateBadge },
  { head: 'Starts', cell: ({ starts_at, timezone }) => eventTimeElement(starts_at, timezone) },
  { head: 'Format', cell: ({ event_format }) => FORMAT_LABELS[event_format].text },
  { head: 'Price', cell: (event) => priceText(event, currency) },
];
