import { Hono } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Deps } from '../pages/deps.ts';
import {
  cancelEvent,
  createEvent,
  deleteEvent,
  publishEvent,
  unpublishEvent,
  updateEvent,
  type EventInput,
} from '@connect-embed/api/resources/events/events';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import { requirePermission } from '../pages/require-permission.ts';
import type { DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';
import { checkEvent, eventFields, loadEventTargets, type EventTargets } from './event-form.ts';
import { eventLink, eventPath, eventRef, loadEvent } from './event-in-path.ts';
import { renderEventList } from './event-list.ts';
import { renderEventPage } from './event-page.ts';

/**
 * Dashboard pages “Events” in the section “Programs”, where members create, edit, publish, cancel
 * and delete events (API specification, section `event`).
 */
export const events = (deps: Deps) => {
  const creation = creationPage(deps);
  const edit = editPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderEventList(c, deps))
    .get('/new', requirePermission('admin'), creation.show)
    .post('/', requirePermission('admin'), creation.submit)
    .get('/:id', (c) => renderEventPage(c, deps))
    .get('/:id/edit', requirePermission('admin'), edit.show)
    .post('/:id', requirePermission('admin'), edit.submit)
    .route('/:id', eventActions(deps));
};

const creationPage = ({ db }: Deps) =>
  formPage<{ targets: EventTargets; timezone: string }, EventInput>({
    load: async (c) => {
      const { organizationId } = c.var.organization;
      const last = await forOrganization(db, organizationId)
        .selectFrom('event')
        .select('timezone')
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      return {
        targets: await loadEventTargets(db, organizationId),
        timezone: last?.timezone ?? 'UTC',
      };
    },
    title: () => 'New event',
    backLink: (_, c) => ({ href: organizationPath(c, '/events'), text: 'Events' }),
    action: (_, c) => organizationPath(c, '/events'),
    fields: ({ targets }, c) => eventFields(c.var.organization.currency, targets),
    values: ({ timezone }) => ({ timezone, event_format: 'in_person', pricing_mode: 'free' }),
    check: checkEvent,
    submitLabel: 'Save draft',
    save: async (input, _, c) => {
      const id = await createEvent(db, c.var.organization.organizationId, input);
      return {
        path: eventPath(c, id),
        success: 'Draft saved. It is not public until you publish it.',
      };
    },
  });

const editPage = ({ db }: Deps) =>
  formPage<{ event: EventRow; targets: EventTargets }, EventInput>({
    load: async (c) => {
      const event = await loadEvent(db, c, 'id');
      return { event, targets: await loadEventTargets(db, event.organization_id, event) };
    },
    title: () => 'Edit event',
    backLink: ({ event }, c) => eventLink(event, c),
    action: ({ event }, c) => eventPath(c, event.id),
    fields: ({ targets }, c) => eventFields(c.var.organization.currency, targets),
    values: ({ event }) => event,
    check: checkEvent,
    submitLabel: 'Save',
    save: async (input, { event }, c) => {
      await updateEvent(db, eventRef(event), input);
      return { path: eventPath(c, event.id), success: 'Event saved.' };
    },
  });

const eventActions = ({ db }: Deps) =>
  actionRoutes<EventRow>(
    { load: (c) => loadEvent(db, c, 'id'), page: eventLink },
    {
      publish: {
        permission: 'admin',
        run: (event) => publishEvent(db, eventRef(event)),
        success: 'Event published.',
      },
      unpublish: {
        permission: 'admin',
        run: (event) => unpublishEvent(db, eventRef(event)),
        success: 'Event unpublished. It is a draft again.',
      },
      cancel: {
        permission: 'admin',
        confirmation: ({ title }) => ({
          title: `Cancel ${title}?`,
          text: CANCELLATION_TEXT,
          buttonLabel: 'Cancel event',
        }),
        run: (event) => cancelEvent(db, eventRef(event)),
        success: 'Event canceled.',
      },
      delete: {
        permission: 'admin',
        confirmation: ({ title }) => ({
          title: `Delete ${title}?`,
          text: `The draft “${title}” and its ticket types will be permanently deleted.`,
          buttonLabel: 'Delete draft',
        }),
        run: (event) => deleteEvent(db, eventRef(event)),
        success: 'Draft deleted.',
        redirect: (_, c) => organizationPath(c, '/events'),
      },
    },
  );

const CANCELLATION_TEXT = html`<p>
    The event will be unpublished and cannot be published again. Registrations without a payment
    will be canceled.
  </p>
  <p>
    Paid registrations stay in the list until you refund each of them. Attendees are not notified:
    contact them yourself.
  </p>`;
