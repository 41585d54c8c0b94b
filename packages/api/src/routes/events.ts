import {
  EventListQuery,
  notFound,
  RegistrationListQuery,
  type FundraisingEvent,
} from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Deps, Env } from '../app.ts';
import { requireScope } from '../auth/require-scope.ts';
import type { Db } from '../db/database.ts';
import { readPage } from '../db/page.ts';
import { isId } from '../id.ts';
import { NoQuery } from './no-query.ts';
import { selectRegistrations, toRegistration } from './registrations.ts';

/**
 * `GET /events`, `/events/{id}` and `/events/{id}/registrations` (spec: Read endpoints).
 *
 * Drafts are shown; who registered needs a scope of its own.
 */
export const events = ({ db, cursors }: Deps) =>
  new Hono<Env>()
    .get('/', requireScope('events:read'), queryParams(EventListQuery), async (c) => {
      const query = c.req.valid('query');
      const { published, upcoming } = query;
      let select = selectEvents(db);
      if (published !== undefined) select = select.where('event.published', '=', published);
      if (upcoming) select = select.where('event.starts_at', '>=', new Date());
      const page = {
        table: 'event',
        organizationId: c.var.credential.organization.id,
        filters: { ...(published !== undefined && { published }), ...(upcoming && { upcoming }) },
        query,
      } as const;
      return c.json(await readPage(cursors, page, select, toEvent));
    })
    .get('/:id', requireScope('events:read'), queryParams(NoQuery), async (c) => {
      const id = c.req.param('id');
      const row =
        isId(id) &&
        (await selectEvents(db)
          .where('event.organization_id', '=', c.var.credential.organization.id)
          .where('event.id', '=', id)
          .executeTakeFirst());
      if (!row) throw notFound('event', id);
      return c.json(toEvent(row));
    })
    .get(
      '/:id/registrations',
      requireScope('registrations:read'),
      queryParams(RegistrationListQuery),
      async (c) => {
        const id = c.req.param('id');
        const organizationId = c.var.credential.organization.id;
        await findEvent(db, organizationId, id);
        const query = c.req.valid('query');
        const { status } = query;
        let select = selectRegistrations(db).where('registration.event_id', '=', id);
        if (status) select = select.where('registration.status', '=', status);
        const filters = { event_id: id, ...(status && { status }) };
        const page = { table: 'registration', organizationId, filters, query } as const;
        return c.json(await readPage(cursors, page, select, toRegistration));
      },
    );

/** @throws {ConnectError} `not_found` */
async function findEvent(db: Db, organizationId: string, id: string): Promise<void> {
  const row =
    isId(id) &&
    (await db
      .selectFrom('event')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst());
  if (!row) throw notFound('event', id);
}

const selectEvents = (db: Db) =>
  db
    .selectFrom('event')
    .selectAll('event')
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('event_ticket_type as ticket')
          .select(['ticket.id', 'ticket.name', 'ticket.description', 'ticket.price_cents'])
          .select(['ticket.capacity', 'ticket.sort_order', 'ticket.is_active'])
          .whereRef('ticket.event_id', '=', 'event.id')
          .orderBy('ticket.sort_order')
          .orderBy('ticket.id'),
      ).as('ticket_types'),
    );

type EventRow = Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number];

const toEvent = (row: EventRow): FundraisingEvent => ({
  id: row.id,
  object: 'event',
  slug: row.slug,
  title: row.title,
  description: row.description,
  location: row.location,
  event_format: row.event_format,
  online_meeting_url: row.online_meeting_url,
  timezone: row.timezone,
  pricing_mode: row.pricing_mode,
  starts_at: row.starts_at.toISOString(),
  ends_at: timeOf(row.ends_at),
  published_at: timeOf(row.published_at),
  registration_opens_at: timeOf(row.registration_opens_at),
  registration_closes_at: timeOf(row.registration_closes_at),
  created_at: row.created_at.toISOString(),
  price_cents: row.price_cents,
  pwyw_min_cents: row.pwyw_min_cents,
  pwyw_suggested_cents: row.pwyw_suggested_cents,
  capacity: row.capacity,
  allow_waitlist: row.allow_waitlist,
  requires_approval: row.requires_approval,
  published: row.published,
  campaign_id: row.campaign_id,
  fund_id: row.fund_id,
  ticket_types: row.ticket_types.map((ticket) => ({ object: 'event_ticket_type', ...ticket })),
});

const timeOf = (date: Date | null) => date && date.toISOString();
