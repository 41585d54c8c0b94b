import { html } from 'hono/html';
import type { EventRow } from '../../../events/places.ts';
import type { Html } from '../../layout.ts';
import { filter } from '../catalogue-view.ts';
import { empty, pager, table, type Column } from '../table.ts';
import { clock } from '../frame.ts';
import { FORMATS, priceText, stateBadge } from './event-words.ts';

/** What a list of events can be narrowed to. */
export const SHOWN = ['all', 'upcoming', 'drafts'] as const;
export type Shown = (typeof SHOWN)[number];

const NAMES: Record<Shown, string> = { all: 'All', upcoming: 'Upcoming', drafts: 'Drafts' };

interface ListView {
  path: string;
  rows: EventRow[];
  currency: string;
  shown: Shown;
  cursor: string | undefined;
  next: string | null;
  mayEdit: boolean;
}

export const listView = ({ path, rows, currency, shown, ...rest }: ListView): Html => {
  const columns: Column<EventRow>[] = [
    {
      head: 'Event',
      as: 'row',
      cell: ({ id, title }) => html`<a href="${path}/${id}">${title}</a>`,
    },
    { head: 'Status', cell: stateBadge },
    { head: 'Begins', cell: ({ starts_at, timezone }) => clock(starts_at, timezone) },
    { head: 'Format', cell: ({ event_format }) => FORMATS[event_format].text },
    { head: 'Price', cell: (event) => priceText(event, currency) },
  ];
  return html`<div class="head">
      <ul class="filters">
        ${SHOWN.map((one) => {
          const href = one === 'all' ? path : `${path}?show=${one}`;
          return html`<li>${filter(href, NAMES[one], one === shown)}</li>`;
        })}
      </ul>
      ${rest.mayEdit ? html`<a class="button" href="${path}/new">New event</a>` : ''}
    </div>
    ${rows.length ? table('Events', columns, rows) : empty(EMPTY[shown])}
    ${pager(path, { ...rest, ...(shown !== 'all' && { filters: { show: shown } }) })}`;
};

const EMPTY: Record<Shown, string> = {
  all: 'There is no event yet.',
  upcoming: 'Nothing is planned.',
  drafts: 'There is no draft.',
};
