import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import type { EventRow, TicketTypeRow } from '@connect-embed/api/resources/events/capacity';
import {
  addTicketType,
  deleteTicketType,
  listTicketTypes,
  updateTicketType,
  type TicketTypeInput,
} from '@connect-embed/api/resources/events/ticket-types';
import { requirePermission } from '../pages/require-permission.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import {
  money,
  required,
  text,
  wholeNumber,
  withDefault,
  yesOrNo,
  type FieldsOf,
} from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { eventLink, eventPath, eventRef, loadEvent } from './event-in-path.ts';

/**
 * Dashboard pages where members create, update and delete the ticket types of an event (API
 * specification, section `event_ticket_type`).
 */
export const ticketTypes = (deps: Deps) => {
  const creation = creationPage(deps);
  const edit = editPage(deps);
  return new Hono<DashboardEnv>()
    .use('*', requirePermission('admin'))
    .get('/new', creation.show)
    .post('/', creation.submit)
    .get('/:id', edit.show)
    .post('/:id', edit.submit)
    .route('/:id', ticketTypeActions(deps));
};

const fields = (currency: string): FieldsOf<TicketTypeInput> => ({
  name: required(text({ label: 'Name', max: 100 })),
  description: text({ label: 'Description' }),
  price_cents: required(
    money({ label: 'Price', hint: 'Enter 0 for a free ticket.', currency, half: true }),
    'Enter a price. Enter 0 for a free ticket.',
  ),
  capacity: wholeNumber({
    label: 'Capacity',
    hint: 'Leave empty to use the capacity of the event.',
    from: 1,
    max: 9,
    half: true,
  }),
  sort_order: withDefault(
    wholeNumber({
      label: 'Position',
      hint: 'Lower numbers are shown first.',
      to: 9999,
      max: 5,
      half: true,
    }),
    0,
  ),
  is_active: yesOrNo({ label: 'Available', hint: 'Attendees can select it.' }),
});

const creationPage = ({ db }: Deps) =>
  formPage<EventRow, TicketTypeInput>({
    load: (c) => loadEvent(db, c, 'event'),
    title: () => 'New ticket type',
    backLink: eventLink,
    action: ({ id }, c) => `${eventPath(c, id)}/ticket-types`,
    fields: (_, c) => fields(c.var.organization.currency),
    values: () => ({ is_active: true, sort_order: 1 }),
    submitLabel: 'Add ticket type',
    save: async (input, event, c) => {
      await addTicketType(db, eventRef(event), input);
      return { path: eventPath(c, event.id), success: `${input.name} added.` };
    },
  });

interface TicketTypeOfEvent {
  event: EventRow;
  ticketType: TicketTypeRow;
}

async function loadTicketType(db: Deps['db'], c: DashboardContext): Promise<TicketTypeOfEvent> {
  const event = await loadEvent(db, c, 'event');
  const list = await listTicketTypes(db, event.id);
  const ticketType = list.find(({ id }) => id === c.req.param('id'));
  if (!ticketType) throw notFound('ticket type', c.req.param('id') ?? '');
  return { event, ticketType };
}

const ticketTypePath = ({ event, ticketType }: TicketTypeOfEvent, c: DashboardContext) =>
  `${eventPath(c, event.id)}/ticket-types/${ticketType.id}`;

const editPage = ({ db }: Deps) =>
  formPage<TicketTypeOfEvent, TicketTypeInput>({
    load: (c) => loadTicketType(db, c),
    title: ({ ticketType }) => ticketType.name,
    backLink: ({ event }, c) => eventLink(event, c),
    action: ticketTypePath,
    fields: (_, c) => fields(c.var.organization.currency),
    values: ({ ticketType }) => ticketType,
    submitLabel: 'Save',
    save: async (input, { event, ticketType }, c) => {
      await updateTicketType(db, eventRef(event), ticketType.id, input);
      return { path: eventPath(c, event.id), success: 'Ticket type saved.' };
    },
    content: (form, subject, c) => html`${form} ${deletionForm(ticketTypePath(subject, c))}`,
  });

const deletionForm = (path: string) =>
  html`<form method="post" action="${path}/delete" class="panel">
    <p class="muted">
      A ticket type with registrations cannot be deleted. Clear “Available” instead.
    </p>
    <button class="danger">Delete ticket type</button>
  </form>`;

const ticketTypeActions = ({ db }: Deps) =>
  actionRoutes<TicketTypeOfEvent>(
    {
      load: (c) => loadTicketType(db, c),
      page: (subject, c) => ({
        href: ticketTypePath(subject, c),
        text: subject.ticketType.name,
      }),
    },
    {
      delete: {
        run: ({ event, ticketType }) => deleteTicketType(db, eventRef(event), ticketType.id),
        success: 'Ticket type deleted.',
        redirect: ({ event }, c) => eventPath(c, event.id),
      },
    },
  );
