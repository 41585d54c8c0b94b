import { notFound } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import { findEvent, type EventRow } from '../../../resources/events/capacity.ts';
import {
  addTicketType,
  deleteTicketType,
  listTicketTypes,
  updateTicketType,
  type TicketTypeInput,
} from '../../../resources/events/ticket-types.ts';
import type { Html } from '../../../lib/html.ts';
import { requirePermission } from '../require-permission.ts';
import type { DashboardEnv } from '../env.ts';
import { amount, checkbox, input, formErrorFlash } from '../field-view.ts';
import { amountText, formStateOf, readFields, type FormState, type FormFields } from '../fields.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { organizationCurrency, runAction } from '../run-action.ts';
import { eventPath } from './events.ts';

/**
 * Dashboard pages where members create, update and delete the ticket types of an event (API
 * specification, section `event_ticket_type`).
 */
export const ticketTypes = ({ db }: Deps) => {
  const eventOf = (c: Context<DashboardEnv>) =>
    findEvent(db, {
      organizationId: c.var.organization.organizationId,
      id: c.req.param('event') ?? '',
    });
  const eventRef = ({ organization_id, id }: EventRow) => ({ organizationId: organization_id, id });
  const subpageContext = (c: Context<DashboardEnv>, { id, title }: EventRow) => ({
    ...c.var.pageContext,
    backLink: { href: eventPath(c, id), text: title },
  });
  const currency = (c: Context<DashboardEnv>) =>
    organizationCurrency(db, c.var.organization.organizationId);

  return new Hono<DashboardEnv>()
    .use('*', requirePermission('admin'))
    .get('/new', async (c) => {
      const event = await eventOf(c);
      const draft = formStateOf({ is_active: 'on', sort_order: '1' });
      const action = `${eventPath(c, event.id)}/ticket-types`;
      const content = form(action, draft, await currency(c), 'Add ticket type');
      return c.html(dashboardPage(subpageContext(c, event), 'New ticket type', content));
    })
    .post('/', async (c) => {
      const event = await eventOf(c);
      const fields = await readFields(c);
      const code = await currency(c);
      const ticketType = readTicketType(fields, code);
      const created = await fields.submit(() => addTicketType(db, eventRef(event), ticketType));
      const path = eventPath(c, event.id);
      if (created)
        return await c.var.redirectWithFlash(path, {
          kind: 'success',
          text: `${ticketType.name} added.`,
        });
      const content = form(`${path}/ticket-types`, fields, code, 'Add ticket type');
      return c.html(
        dashboardPage(subpageContext(c, event), 'New ticket type', content, formErrorFlash(fields)),
        400,
      );
    })
    .get('/:id', async (c) => {
      const event = await eventOf(c);
      const ticket = (await listTicketTypes(db, event.id)).find(
        ({ id }) => id === c.req.param('id'),
      );
      if (!ticket) throw notFound('ticket type', c.req.param('id'));
      const code = await currency(c);
      const draft = formStateOf({
        name: ticket.name,
        description: ticket.description ?? '',
        price: amountText(ticket.price_cents, code),
        capacity: ticket.capacity === null ? '' : String(ticket.capacity),
        sort_order: String(ticket.sort_order),
        is_active: ticket.is_active ? 'on' : '',
      });
      const path = `${eventPath(c, event.id)}/ticket-types/${ticket.id}`;
      const content = html`${form(path, draft, code, 'Save')} ${deletionForm(path)}`;
      return c.html(dashboardPage(subpageContext(c, event), ticket.name, content));
    })
    .post('/:id', async (c) => {
      const event = await eventOf(c);
      const fields = await readFields(c);
      const code = await currency(c);
      const ticketType = readTicketType(fields, code);
      const id = c.req.param('id');
      const saved = await fields.submit(() =>
        updateTicketType(db, eventRef(event), id, ticketType),
      );
      const path = eventPath(c, event.id);
      if (saved)
        return await c.var.redirectWithFlash(path, { kind: 'success', text: 'Ticket type saved.' });
      const content = form(`${path}/ticket-types/${id}`, fields, code, 'Save');
      return c.html(
        dashboardPage(subpageContext(c, event), 'Ticket type', content, formErrorFlash(fields)),
        400,
      );
    })
    .post('/:id/delete', async (c) => {
      const event = await eventOf(c);
      const id = c.req.param('id');
      const path = eventPath(c, event.id);
      const operation = () => deleteTicketType(db, eventRef(event), id);
      return await runAction(
        c,
        path,
        'Ticket type deleted.',
        operation,
        `${path}/ticket-types/${id}`,
      );
    });
};

const form = (action: string, draft: FormState, currency: string, buttonLabel: string): Html =>
  html`<form method="post" action="${action}" class="panel" novalidate>
    ${input(draft, { name: 'name', label: 'Name', required: true, max: 100 })}
    ${input(draft, { name: 'description', label: 'Description' })}
    <div class="two-columns">
      ${amount(draft, {
        name: 'price',
        label: `Price (${currency.toUpperCase()})`,
        hint: 'Enter 0 for a free ticket.',
        required: true,
      })}
      ${input(draft, {
        name: 'capacity',
        label: 'Capacity',
        hint: 'Leave empty to use the capacity of the event.',
        inputmode: 'numeric',
        max: 9,
      })}
      ${input(draft, {
        name: 'sort_order',
        label: 'Position',
        hint: 'Lower numbers are shown first.',
        inputmode: 'numeric',
        max: 5,
      })}
    </div>
    ${checkbox(draft, { name: 'is_active', label: 'Available', hint: 'Attendees can select it.' })}
    <button>${buttonLabel}</button>
  </form>`;

const deletionForm = (path: string) =>
  html`<form method="post" action="${path}/delete" class="panel">
    <p class="muted">
      A ticket type with registrations cannot be deleted. Clear “Available” instead.
    </p>
    <button class="danger">Delete ticket type</button>
  </form>`;

function readTicketType(fields: FormFields, currency: string): TicketTypeInput {
  const price_cents = fields.money('price', currency);
  if (price_cents === null) fields.addError('price', 'Enter a price. Enter 0 for a free ticket.');
  return {
    name: fields.required('name', 100),
    description: fields.text('description'),
    price_cents: price_cents ?? 0,
    capacity: fields.integer('capacity', { min: 1 }),
    sort_order: fields.integer('sort_order', { max: 9999 }) ?? 0,
    is_active: fields.checked('is_active'),
  };
}
