import { formatMoney } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../../env.ts';
import { findEvent, type EventRow } from '../../../events/places.ts';
import { refund } from '../../../events/refund.ts';
import { register } from '../../../events/register.ts';
import {
  cancel,
  checkIn,
  confirm,
  correct,
  findRegistration,
  undoCheckIn,
  type OneRegistration,
} from '../../../events/registrations.ts';
import { listTicketTypes } from '../../../events/ticket-types.ts';
import { LOCALE, type Html } from '../../layout.ts';
import { allow } from '../allow.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { refusal } from '../field-view.ts';
import { draftOf, readFields } from '../fields.ts';
import { frame } from '../frame.ts';
import { may } from '../navigation.ts';
import { currencyOf, press } from '../press.ts';
import { eventPath } from './events.ts';
import {
  newFields,
  personFields,
  personValues,
  readNew,
  readPerson,
  registrationStart,
} from './registration-form.ts';
import { registrationView } from './registration-page.ts';

/** Who comes to one event (spec: registration): enter, confirm, check in, cancel, refund. */
export const registrations = (deps: Deps) => {
  const { db } = deps;
  const registry = { db, enqueue: deps.webhooks.enqueue };
  const organizationOf = (c: Context<DashboardEnv>) => c.var.organization.organizationId;
  const eventOf = (c: Context<DashboardEnv>) =>
    findEvent(db, { organizationId: organizationOf(c), id: c.req.param('event') ?? '' });
  const oneOf = (c: Context<DashboardEnv>): OneRegistration => ({
    organizationId: organizationOf(c),
    eventId: c.req.param('event') ?? '',
    id: c.req.param('id') ?? '',
  });
  const pathOf = (c: Context<DashboardEnv>, { eventId, id }: OneRegistration) =>
    `${eventPath(c, eventId)}/registrations/${id}`;
  const below = (c: Context<DashboardEnv>, href: string, text: string) => ({
    ...c.var.place,
    back: { href, text },
  });
  const form = (action: string, content: Html, verb: string) =>
    html`<form method="post" action="${action}" class="panel" novalidate>
      ${content}
      <button>${verb}</button>
    </form>`;
  const entry = async (c: Context<DashboardEnv>, event: EventRow) => ({
    tickets: await listTicketTypes(db, event.id),
    currency: await currencyOf(db, event.organization_id),
    place: below(c, eventPath(c, event.id), event.title),
    action: `${eventPath(c, event.id)}/registrations`,
  });
  /** Does something to one registration, and shows what it is then. */
  const change = (
    c: Context<DashboardEnv>,
    done: string,
    act: (one: OneRegistration) => Promise<unknown>,
  ) => press(c, pathOf(c, oneOf(c)), done, () => act(oneOf(c)));

  return new Hono<DashboardEnv>()
    .get('/new', allow('admin'), async (c) => {
      const event = await eventOf(c);
      const { tickets, currency, place, action } = await entry(c, event);
      const fields = newFields(draftOf(registrationStart(event)), event, tickets, currency);
      return c.html(frame(place, 'Register somebody', form(action, fields, 'Register')));
    })
    .post('/', allow('admin'), async (c) => {
      const event = await eventOf(c);
      const { tickets, currency, place, action } = await entry(c, event);
      const fields = await readFields(c);
      const read = readNew(fields, event, currency);
      const one = { organizationId: event.organization_id, id: event.id };
      const made = await fields.settle(() => register(registry, one, read));
      if (made) {
        const text = `${read.attendee_name} is registered.`;
        return await c.var.goOn(eventPath(c, event.id), { kind: 'good', text });
      }
      const content = form(action, newFields(fields, event, tickets, currency), 'Register');
      return c.html(frame(place, 'Register somebody', content, refusal(fields)), 400);
    })
    .get('/:id', async (c) => {
      const event = await eventOf(c);
      const row = await findRegistration(db, oneOf(c));
      const tickets = await listTicketTypes(db, event.id);
      const ticket = tickets.find(({ id }) => id === row.ticket_type_id)?.name ?? null;
      const currency = await currencyOf(db, event.organization_id);
      const mayEdit = may(c.var.organization, 'admin');
      const view = { path: pathOf(c, oneOf(c)), event, row, ticket, currency, mayEdit };
      const place = below(c, eventPath(c, event.id), event.title);
      return c.html(frame(place, row.attendee_name ?? 'No name', registrationView(view)));
    })
    .get('/:id/correct', allow('admin'), async (c) => {
      const row = await findRegistration(db, oneOf(c));
      const path = pathOf(c, oneOf(c));
      const content = form(path, personFields(draftOf(personValues(row))), 'Save');
      const place = below(c, path, row.attendee_name ?? 'No name');
      return c.html(frame(place, 'Correct the registration', content));
    })
    .post('/:id', allow('admin'), async (c) => {
      const row = await findRegistration(db, oneOf(c));
      const fields = await readFields(c);
      const read = readPerson(fields, row.quantity);
      const saved = await fields.settle(() => correct(registry, oneOf(c), read));
      const path = pathOf(c, oneOf(c));
      if (saved) return await c.var.goOn(path, { kind: 'good', text: 'Saved.' });
      const place = below(c, path, row.attendee_name ?? 'No name');
      const content = form(path, personFields(fields), 'Save');
      return c.html(frame(place, 'Correct the registration', content, refusal(fields)), 400);
    })
    .post('/:id/confirm', allow('admin'), (c) =>
      change(c, 'The registration is confirmed.', (one) => confirm(registry, one)),
    )
    .post('/:id/check-in', (c) =>
      change(c, 'They are checked in.', (one) => checkIn(registry, one)),
    )
    .post('/:id/undo-check-in', (c) =>
      change(c, 'They are expected again.', (one) => undoCheckIn(registry, one)),
    )
    .get('/:id/cancel', allow('admin'), async (c) => {
      const row = await findRegistration(db, oneOf(c));
      const path = pathOf(c, oneOf(c));
      const money = row.amount_paid_cents > row.refunded_cents ? MONEY_STAYS : '';
      const text = `The place is free for somebody else. A cancelled registration cannot be brought back.${money}`;
      const content = confirmation({ text, verb: 'Cancel the registration', back: path });
      const name = row.attendee_name ?? 'No name';
      return c.html(frame(below(c, path, name), `Cancel for ${name}?`, content));
    })
    .post('/:id/cancel', allow('admin'), (c) =>
      change(c, 'The registration is cancelled.', (one) => cancel(registry, one)),
    )
    .get('/:id/refund', allow('admin'), requireSecondFactor, async (c) => {
      const row = await findRegistration(db, oneOf(c));
      const path = pathOf(c, oneOf(c));
      const currency = await currencyOf(db, row.organization_id);
      const cents = row.amount_paid_cents - row.refunded_cents;
      const money = formatMoney(cents, currency, LOCALE);
      const text = row.processor_payment_intent_id
        ? `${money} go back to the card that paid. This cannot be taken back, and the place is free for somebody else.`
        : `${money} were paid outside of Connect: return them the way they came. Here it is only written down, and the place is free for somebody else.`;
      const content = confirmation({ text, verb: `Refund ${money}`, back: path });
      const name = row.attendee_name ?? 'No name';
      return c.html(frame(below(c, path, name), `Refund ${name}?`, content));
    })
    .post('/:id/refund', allow('admin'), requireSecondFactor, async (c) => {
      const { processor_payment_intent_id: intent } = await findRegistration(db, oneOf(c));
      // Money that moves at the processor takes the permission for money.
      if (intent && !may(c.var.organization, 'payments:write')) {
        const text = 'Returning money to a card takes the permission to take donations.';
        return await c.var.goOn(pathOf(c, oneOf(c)), { kind: 'problem', text });
      }
      return await change(c, 'The registration is refunded.', (one) =>
        refund({ ...registry, processor: deps.processor }, one, c.var.place.person.id),
      );
    });
};

const MONEY_STAYS = ' What was paid stays paid: refund it instead to return the money as well.';
