import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { forOrganization } from '../../../db/organization-scope.ts';
import type { Deps } from '../../deps.ts';
import { readPage } from '../../../resources/lists/page.ts';
import {
  cancelEvent,
  createEvent,
  deleteEvent,
  publishEvent,
  unpublishEvent,
  updateEvent,
} from '../../../resources/events/events.ts';
import { findEvent, type EventRef } from '../../../resources/events/capacity.ts';
import type { Html } from '../../../lib/html.ts';
import { requirePermission } from '../require-permission.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv, PageContext } from '../env.ts';
import { formErrorFlash } from '../field-view.ts';
import { formStateOf, readFields, type FormState } from '../fields.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { hasPermission } from '../navigation.ts';
import { PAGE_SIZE } from '../page-size.ts';
import { organizationCurrency, runAction } from '../run-action.ts';
import {
  eventFields,
  eventValues,
  loadEventFormOptions,
  readEvent,
  type EventFormOptions,
} from './event-form.ts';
import { listView, EVENT_FILTERS, type EventFilter } from './event-list.ts';
import { eventView, readEventPage } from './event-page.ts';

/** URL path of the dashboard page of an event. */
export const eventPath = (c: Context<DashboardEnv>, id: string) =>
  `/dashboard/${c.var.organization.organizationId}/events/${id}`;

/**
 * Dashboard pages “Events” in the section “Programs”, where members create, edit, publish, cancel
 * and delete events (API specification, section `event`).
 */
export const events = (deps: Deps) => {
  const { db, cursorEncrypter } = deps;
  const listPath = (c: Context<DashboardEnv>) => eventPath(c, '').slice(0, -1);
  const subpageContext = (
    c: Context<DashboardEnv>,
    backLink?: { href: string; text: string },
  ): PageContext => ({
    ...c.var.pageContext,
    backLink: backLink ?? { href: listPath(c), text: 'Events' },
  });
  const eventRef = (c: Context<DashboardEnv>): EventRef => ({
    organizationId: c.var.organization.organizationId,
    id: c.req.param('id') ?? '',
  });
  const form = (
    action: string,
    draft: FormState,
    formOptions: EventFormOptions,
    buttonLabel: string,
  ): Html =>
    html`<form method="post" action="${action}" class="panel" novalidate>
      ${eventFields(draft, formOptions)}
      <button>${buttonLabel}</button>
    </form>`;
  /** Runs an action on the event in the URL path and redirects to the page of the event. */
  const runEventAction = (
    c: Context<DashboardEnv>,
    successText: string,
    operation: (db: Deps['db'], ref: EventRef) => Promise<unknown>,
  ) => runAction(c, eventPath(c, eventRef(c).id), successText, () => operation(db, eventRef(c)));

  return new Hono<DashboardEnv>()
    .get('/', async (c) => {
      const { organizationId } = c.var.organization;
      const filter = (EVENT_FILTERS as readonly string[]).includes(c.req.query('show') ?? '')
        ? (c.req.query('show') as EventFilter)
        : 'all';
      const cursor = c.req.query('cursor');
      let select = db.selectFrom('event').selectAll('event');
      if (filter === 'upcoming') select = select.where('event.starts_at', '>=', new Date());
      if (filter === 'drafts') {
        select = select
          .where('event.published', '=', false)
          .where('event.cancelled_at', 'is', null);
      }
      const query = { limit: PAGE_SIZE, cursor };
      const page = { table: 'event', organizationId, filters: { filter }, query } as const;
      const { data: rows, next_cursor: next } = await readPage(
        cursorEncrypter,
        page,
        select,
        (row) => row,
      );
      const currency = await organizationCurrency(db, organizationId);
      const mayEdit = hasPermission(c.var.organization, 'admin');
      const view = { path: listPath(c), rows, currency, filter, cursor, next, mayEdit };
      return c.html(dashboardPage(c.var.pageContext, 'Events', listView(view)));
    })
    .get('/new', requirePermission('admin'), async (c) => {
      const { organizationId } = c.var.organization;
      const last = await forOrganization(db, organizationId)
        .selectFrom('event')
        .select('timezone')
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst();
      const start = { timezone: last?.timezone ?? 'UTC', event_format: 'in_person' };
      const draft = formStateOf({ ...start, pricing_mode: 'free' });
      const formOptions = await loadEventFormOptions(db, organizationId);
      const content = form(listPath(c), draft, formOptions, 'Save draft');
      return c.html(dashboardPage(subpageContext(c), 'New event', content));
    })
    .get('/:id', async (c) => {
      const event = await findEvent(db, eventRef(c));
      const pageData = await readEventPage(deps, c.var.organization, event, {
        status: c.req.query('status'),
        cursor: c.req.query('cursor'),
      });
      const path = eventPath(c, event.id);
      return c.html(
        dashboardPage(subpageContext(c), event.title, eventView(path, event, pageData)),
      );
    })
    .get('/:id/edit', requirePermission('admin'), async (c) => {
      const event = await findEvent(db, eventRef(c));
      const formOptions = await loadEventFormOptions(db, event.organization_id, event);
      const path = eventPath(c, event.id);
      const draft = formStateOf(eventValues(event, formOptions.currency));
      const pageContext = subpageContext(c, { href: path, text: event.title });
      return c.html(
        dashboardPage(pageContext, 'Edit event', form(path, draft, formOptions, 'Save')),
      );
    })
    .get('/:id/cancel', requirePermission('admin'), async (c) => {
      const { id, title } = await findEvent(db, eventRef(c));
      const path = eventPath(c, id);
      const text = html`<p>
          The event will be unpublished and cannot be published again. Registrations without a
          payment will be canceled.
        </p>
        <p>
          Paid registrations stay in the list until you refund each of them. Attendees are not
          notified: contact them yourself.
        </p>`;
      const content = confirmation({ text, buttonLabel: 'Cancel event', cancelHref: path });
      return c.html(
        dashboardPage(subpageContext(c, { href: path, text: title }), `Cancel ${title}?`, content),
      );
    })
    .get('/:id/delete', requirePermission('admin'), async (c) => {
      const { id, title } = await findEvent(db, eventRef(c));
      const path = eventPath(c, id);
      const text = `The draft “${title}” and its ticket types will be permanently deleted.`;
      const content = confirmation({ text, buttonLabel: 'Delete draft', cancelHref: path });
      return c.html(
        dashboardPage(subpageContext(c, { href: path, text: title }), `Delete ${title}?`, content),
      );
    })
    .post('/', requirePermission('admin'), async (c) => {
      const { organizationId } = c.var.organization;
      const fields = await readFields(c);
      const formOptions = await loadEventFormOptions(db, organizationId);
      const input = readEvent(fields, formOptions.currency);
      const created = await fields.submit(() => createEvent(db, organizationId, input));
      if (created) {
        const text = 'Draft saved. It is not public until you publish it.';
        return await c.var.redirectWithFlash(eventPath(c, created.value), {
          kind: 'success',
          text,
        });
      }
      const content = form(listPath(c), fields, formOptions, 'Save draft');
      return c.html(
        dashboardPage(subpageContext(c), 'New event', content, formErrorFlash(fields)),
        400,
      );
    })
    .post('/:id', requirePermission('admin'), async (c) => {
      const event = await findEvent(db, eventRef(c));
      const fields = await readFields(c);
      const formOptions = await loadEventFormOptions(db, event.organization_id, event);
      const input = readEvent(fields, formOptions.currency);
      const path = eventPath(c, event.id);
      const saved = await fields.submit(() => updateEvent(db, eventRef(c), input));
      if (saved)
        return await c.var.redirectWithFlash(path, { kind: 'success', text: 'Event saved.' });
      const pageContext = subpageContext(c, { href: path, text: event.title });
      const content = form(path, fields, formOptions, 'Save');
      return c.html(dashboardPage(pageContext, 'Edit event', content, formErrorFlash(fields)), 400);
    })
    .post('/:id/publish', requirePermission('admin'), (c) =>
      runEventAction(c, 'Event published.', publishEvent),
    )
    .post('/:id/unpublish', requirePermission('admin'), (c) =>
      runEventAction(c, 'Event unpublished. It is a draft again.', unpublishEvent),
    )
    .post('/:id/cancel', requirePermission('admin'), (c) =>
      runEventAction(c, 'Event canceled.', cancelEvent),
    )
    .post('/:id/delete', requirePermission('admin'), async (c) => {
      const { id } = await findEvent(db, eventRef(c));
      const operation = () => deleteEvent(db, eventRef(c));
      return await runAction(c, listPath(c), 'Draft deleted.', operation, eventPath(c, id));
    });
};
