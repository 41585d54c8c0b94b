import {
  EventListQuery,
  RegistrationListQuery,
  type FundraisingEvent,
} from '@connect-embed/contract';
import { NoQuery, queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql, type ExpressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requireScope } from '../../auth/require-scope.ts';
import type { Database } from '../../db/schema.ts';
import { iso, isoOrNull, objectType } from '../resource-columns.ts';
import { ListReader } from '../lists/list.ts';
import { registrationList } from './registration-routes.ts';
import type { OrganizationScope } from '../../db/organization-scope.ts';

/**
 * `GET /events`, `/events/{id}` and `/events/{id}/registrations` (spec: Read endpoints).
 *
 * Lists include drafts. Reading registrations requires the scope `registrations:read`.
 */
export const events = (deps: RequestDeps) => {
  const list = eventList(deps);
  const registrations = registrationList(deps);
  return new Hono<Env>()
    .get('/', requireScope('events:read'), queryParams(EventListQuery), async (c) =>
      c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query'))),
    )
    .get('/:id', requireScope('events:read'), queryParams(NoQuery), async (c) =>
      c.json(await list.find(c.var.credential.organization.id, c.req.param('id'))),
    )
    .get(
      '/:id/registrations',
      requireScope('registrations:read'),
      queryParams(RegistrationListQuery),
      async (c) => {
        const event_id = c.req.param('id');
        const organizationId = c.var.credential.organization.id;
        await list.find(organizationId, event_id);
        const query = { ...c.req.valid('query'), event_id };
        return c.json(await registrations.readPage(organizationId, query));
      },
    );
};

const eventList = (deps: RequestDeps) =>
  new ListReader<Pick<EventListQuery, 'published' | 'upcoming'>, FundraisingEvent>(deps, {
    table: 'event',
    select: selectEvents,
    createdAtField: 'created_at',
    filters: {
      published: (value) => sql`event.published = ${value}`,
      // `true` is the only valid value. It is still compared as a parameter, because every filter
      // is part of the cursor.
      upcoming: (value) => sql`(event.starts_at >= now()) = ${value}`,
    },
  });

const selectEvents = (organization: OrganizationScope) =>
  organization
    .selectFrom('event')
    .select([
      'event.id',
      objectType('event'),
      'event.slug',
      'event.title',
      'event.description',
      'event.location',
      'event.event_format',
      'event.online_meeting_url',
      'event.timezone',
      'event.pricing_mode',
      iso('event.starts_at').as('starts_at'),
      isoOrNull('event.ends_at').as('ends_at'),
      isoOrNull('event.published_at').as('published_at'),
      isoOrNull('event.registration_opens_at').as('registration_opens_at'),
      isoOrNull('event.registration_closes_at').as('registration_closes_at'),
      iso('event.created_at').as('created_at'),
      'event.price_cents',
      'event.pwyw_min_cents',
      'event.pwyw_suggested_cents',
      'event.capacity',
      'event.allow_waitlist',
      'event.requires_approval',
      'event.published',
      'event.campaign_id',
      'event.fund_id',
    ])
    .select((eb) => jsonArrayFrom(selectTicketTypes(eb)).as('ticket_types'));

const selectTicketTypes = (eb: ExpressionBuilder<Database, 'event'>) =>
  eb
    .selectFrom('event_ticket_type as ticket')
    .select(['ticket.id', objectType('event_ticket_type'), 'ticket.name', 'ticket.description'])
    .select(['ticket.price_cents', 'ticket.capacity', 'ticket.sort_order', 'ticket.is_active'])
    .whereRef('ticket.event_id', '=', 'event.id')
    .orderBy('ticket.sort_order')
    .orderBy('ticket.id');
