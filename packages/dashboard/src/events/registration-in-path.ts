import type { Deps } from '../pages/deps.ts';
import {
  findRegistration,
  type RegistrationRef,
  type RegistrationRow,
} from '@connect-embed/api/payments/registrations/find-registration';
import type { DashboardContext, Link } from '../pages/env.ts';
import { eventPath } from './event-in-path.ts';

/**
 * Loads the registration that the path of a page names.
 *
 * @throws {ConnectError} `not_found`
 */
export const loadRegistration = (db: Deps['db'], c: DashboardContext): Promise<RegistrationRow> =>
  findRegistration(db, {
    organizationId: c.var.organization.organizationId,
    eventId: c.req.param('event') ?? '',
    id: c.req.param('id') ?? '',
  });

export const registrationLink = (row: RegistrationRow, c: DashboardContext): Link => ({
  href: `${eventPath(c, row.event_id)}/registrations/${row.id}`,
  text: row.attendee_name ?? 'No name',
});

/** The key of a registration for the functions that change it. */
export const registrationRef = (row: RegistrationRow): RegistrationRef => ({
  organizationId: row.organization_id,
  eventId: row.event_id,
  id: row.id,
});
