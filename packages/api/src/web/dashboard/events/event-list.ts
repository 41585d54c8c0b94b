import { html } from 'hono/html';
import type { EventRow } from '../../../resources/events/capacity.ts';
import type { Html } from '../../../lib/html.ts';
import { tabs } from '../pages/list.ts';
import { empty, pager, table, type Column } from '../table.ts';
import { eventTimeElement } from '../dashboard-layout.ts';
import { FORMAT_LABELS, priceText, stateBadge } from './event-labels.ts';

/** Filters of the event list. */
export const EVENT_FILTERS = ['all', 'upcoming', 'drafts'] as const;
export type EventFilter = (typeof EVENT_FILTERS)[number];

const FILTER_LABELS: Record<EventFilter, string> = {
  all: 'All',
  upcoming: 'Upcoming',
  drafts: 'Drafts',
};

interface ListView {
  path: string;
  rows: EventRow[];
  currency: string;
  filter: EventFilter;
  cursor: string | undefined;
  next: string | null;
  mayEdit: boolean;
}

/** Renders the dashboard's list of events. */
export const listView = ({ path, rows, currency, filter, ...rest }: ListView): Html => {
  const columns: Column<EventRow>[] = [
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
  return html`<div class="head">
      ${tabs(
        EVENT_FILTERS.map((filterName) => ({
          text: FILTER_LABELS[filterName],
          href: filterName === 'all' ? path : `${path}?show=${filterName}`,
          current: filterName === filter,
        })),
      )}
      ${rest.mayEdit ? html`<a class="button" href="${path}/new">New event</a>` : ''}
    </div>
    ${rows.length ? table('Events', columns, rows) : empty(EMPTY_TEXTS[filter])}
    ${pager(path, { ...rest, ...(filter !== 'all' && { filters: { show: filter } }) })}`;
};

const EMPTY_TEXTS: Record<EventFilter, string> = {
  all: 'No events yet.',
  upcoming: 'No upcoming events.',
  drafts: 'No drafts.',
};
