import type { Deps } from '../pages/deps.ts';
import {
  findEvent,
  type EventRef,
  type EventRow,
} from '@connect-embed/api/resources/events/capacity';
import type { DashboardContext, Link } from '../pages/env.ts';
import { organizationPath } from '../pages/render-page.ts';

export const eventPath = (c: DashboardContext, id: string) => organizationPath(c, `/events/${id}`);

export const eventLink = ({ id, title }: EventRow, c: DashboardContext): Link => ({
  href: eventPath(c, id),
  text: title,
});

/**
 * Loads the event that the path of a page names.
 *
 * @param parameter the name of the path parameter with the id of the event
 * @throws {ConnectError} `not_found`
 */
export const loadEvent = (
  db: Deps['db'],
  c: DashboardContext,
  parameter: 'id' | 'event',
): Promise<EventRow> =>
  findEvent(db, {
    organizationId: c.var.organization.organizationId,
    id: c.req.param(parameter) ?? '',
  });

/** The key of an event for the functions that change it. */
export const eventRef = ({ organization_id, id }: EventRow): EventRef => ({
  organizationId: organization_id,
  id,
});
