import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import { requirePermission } from '../pages/require-permission.ts';
import { campaigns } from './campaigns.ts';
import type { DashboardEnv } from '../pages/env.ts';
import { checkIn } from '../events/check-in.ts';
import { events } from '../events/events.ts';
import { registrations } from '../events/registrations.ts';
import { ticketTypes } from '../events/ticket-types.ts';
import { funds } from './funds.ts';

/**
 * Dashboard pages of campaigns, funds and events. Owners and admins can change them. Plain members
 * can read them and check guests in: docs/decisions/0028-events-and-registrations.md
 */
export const programs = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .use('/campaigns/*', requirePermission('reference:read', { members: true }))
    .route('/campaigns', campaigns(deps))
    .use('/funds/*', requirePermission('reference:read', { members: true }))
    .route('/funds', funds(deps))
    .use('/events/*', requirePermission('events:read', { members: true }))
    .use('/events/:event/registrations/*', requirePermission('registrations:read'))
    .use('/events/:event/check-in/*', requirePermission('registrations:read', { members: true }))
    .route('/events', events(deps))
    .route('/events/:event/ticket-types', ticketTypes(deps))
    .route('/events/:event/registrations', registrations(deps))
    .route('/events/:event/check-in', checkIn(deps));
