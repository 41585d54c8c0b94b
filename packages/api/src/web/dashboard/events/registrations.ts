import { formatMoney } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../deps.ts';
import { findEvent, type EventRow } from '../../../resources/events/capacity.ts';
import { refundRegistration } from '../../../resources/events/refund-registration.ts';
import { createRegistration } from '../../../resources/events/register.ts';
import {
  cancelRegistration,
  checkIn,
  confirmRegistration,
  updateAttendee,
  undoCheckIn,
} from '../../../resources/events/registrations.ts';
import {
  findRegistration,
  type RegistrationRef,
} from '../../../payments/registrations/find-registration.ts';
import { listTicketTypes } from '../../../resources/events/ticket-types.ts';
import { LOCALE } from '../../layout.ts';
import type { Html } from '../../../lib/html.ts';
import { requirePermission } from '../require-permission.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { confirmation } from '../confirmation.ts';
import type { DashboardEnv } from '../env.ts';
import { formErrorFlash } from '../field-view.ts';
import { formStateOf, readFields } from '../fields.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { hasPermission } from '../navigation.ts';
import { organizationCurrency, runAction } from '../run-action.ts';
import { eventPath } from './events.ts';
import {
  registrationFields,
  attendeeFields,
  attendeeValues,
  readRegistration,
  readAttendee,
  initialRegistration,
} from './registration-form.ts';
import { registrationView } from './registration-page.ts';

/**
 * Dashboard pages where members create, confirm, check in, cancel and refund the registrations of
 * an event (API specification, section `registration`).
 */
export const registrations = (deps: Deps) => {
  const { db } = deps;
  const registrationDeps = { db, enqueue: deps.webhooks.enqueue };
  const organizationOf = (c: Context<DashboardEnv>) => c.var.organization.organizationId;
  const eventOf = (c: Context<DashboardEnv>) =>
    findEvent(db, { organizationId: organizationOf(c), id: c.req.param('event') ?? '' });
  const registrationRef = (c: Context<DashboardEnv>): RegistrationRef => ({
    organizationId: organizationOf(c),
    eventId: c.req.param('event') ?? '',
    id: c.req.param('id') ?? '',
  });
  const pathOf = (c: Context<DashboardEnv>, { eventId, id }: RegistrationRef) =>
    `${eventPath(c, eventId)}/registrations/${id}`;
  const subpageContext = (c: Context<DashboardEnv>, href: string, text: string) => ({
    ...c.var.pageContext,
    backLink: { href, text },
  });
  const form = (action: string, content: Html, buttonLabel: string) =>
    html`<form method="post" action="${action}" class="panel" novalidate>
      ${content}
      <button>${buttonLabel}</button>
    </form>`;
  const loadRegistrationForm = async (c: Context<DashboardEnv>, event: EventRow) => ({
    tickets: await listTicketTypes(db, event.id),
    currency: await organizationCurrency(db, event.organization_id),
    pageContext: subpageContext(c, eventPath(c, event.id), event.title),
    action: `${eventPath(c, event.id)}/registrations`,
  });
  /**
   * Runs an action on the registration in the URL path and redirects to the page of the
   * registration.
   */
  const runRegistrationAction = (
    c: Context<DashboardEnv>,
    successText: string,
    operation: (ref: RegistrationRef) => Promise<unknown>,
  ) =>
    runAction(c, pathOf(c, registrationRef(c)), successText, () => operation(registrationRef(c)));

  return new Hono<DashboardEnv>()
    .get('/new', requirePermission('admin'), async (c) => {
      const event = await eventOf(c);
      const { tickets, currency, pageContext, action } = await loadRegistrationForm(c, event);
      const fields = registrationFields(
        formStateOf(initialRegistration(event)),
        event,
        tickets,
        currency,
      );
      return c.html(
        dashboardPage(pageContext, 'Add registration', form(action, fields, 'Register')),
      );
    })
    .post('/', requirePermission('admin'), async (c) => {
      const event = await eventOf(c);
      const { tickets, currency, pageContext, action } = await loadRegistrationForm(c, event);
      const fields = await readFields(c);
      const input = readRegistration(fields, event, currency);
      const ref = { organizationId: event.organization_id, id: event.id };
      const created = await fields.submit(() => createRegistration(registrationDeps, ref, input));
      if (created) {
        const text = `${input.attendee_name} is registered.`;
        return await c.var.redirectWithFlash(eventPath(c, event.id), { kind: 'success', text });
      }
      const content = form(
        action,
        registrationFields(fields, event, tickets, currency),
        'Register',
      );
      return c.html(
        dashboardPage(pageContext, 'Add registration', content, formErrorFlash(fields)),
        400,
      );
    })
    .get('/:id', async (c) => {
      const event = await eventOf(c);
      const row = await findRegistration(db, registrationRef(c));
      const tickets = await listTicketTypes(db, event.id);
      const ticket = tickets.find(({ id }) => id === row.ticket_type_id)?.name ?? null;
      const currency = await organizationCurrency(db, event.organization_id);
      const mayEdit = hasPermission(c.var.organization, 'admin');
      const view = { path: pathOf(c, registrationRef(c)), event, row, ticket, currency, mayEdit };
      const pageContext = subpageContext(c, eventPath(c, event.id), event.title);
      return c.html(
        dashboardPage(pageContext, row.attendee_name ?? 'No name', registrationView(view)),
      );
    })
    .get('/:id/correct', requirePermission('admin'), async (c) => {
      const row = await findRegistration(db, registrationRef(c));
      const path = pathOf(c, registrationRef(c));
      const content = form(path, attendeeFields(formStateOf(attendeeValues(row))), 'Save');
      const pageContext = subpageContext(c, path, row.attendee_name ?? 'No name');
      return c.html(dashboardPage(pageContext, 'Edit registration', content));
    })
    .post('/:id', requirePermission('admin'), async (c) => {
      const row = await findRegistration(db, registrationRef(c));
      const fields = await readFields(c);
      const input = readAttendee(fields, row.quantity);
      const saved = await fields.submit(() =>
        updateAttendee(registrationDeps, registrationRef(c), input),
      );
      const path = pathOf(c, registrationRef(c));
      if (saved)
        return await c.var.redirectWithFlash(path, {
          kind: 'success',
          text: 'Registration saved.',
        });
      const pageContext = subpageContext(c, path, row.attendee_name ?? 'No name');
      const content = form(path, attendeeFields(fields), 'Save');
      return c.html(
        dashboardPage(pageContext, 'Edit registration', content, formErrorFlash(fields)),
        400,
      );
    })
    .post('/:id/confirm', requirePermission('admin'), (c) =>
      runRegistrationAction(c, 'Registration confirmed.', (ref) =>
        confirmRegistration(registrationDeps, ref),
      ),
    )
    .post('/:id/check-in', (c) =>
      runRegistrationAction(c, 'Checked in.', (ref) => checkIn(registrationDeps, ref)),
    )
    .post('/:id/undo-check-in', (c) =>
      runRegistrationAction(c, 'Check-in undone.', (ref) => undoCheckIn(registrationDeps, ref)),
    )
    .get('/:id/cancel', requirePermission('admin'), async (c) => {
      const row = await findRegistration(db, registrationRef(c));
      const path = pathOf(c, registrationRef(c));
      const money = row.amount_paid_cents > row.refunded_cents ? PAYMENT_NOT_REFUNDED_TEXT : '';
      const text = `The seats become available again. A canceled registration cannot be restored.${money}`;
      const content = confirmation({ text, buttonLabel: 'Cancel registration', cancelHref: path });
      const name = row.attendee_name ?? 'No name';
      return c.html(
        dashboardPage(
          subpageContext(c, path, name),
          `Cancel the registration of ${name}?`,
          content,
        ),
      );
    })
    .post('/:id/cancel', requirePermission('admin'), (c) =>
      runRegistrationAction(c, 'Registration canceled.', (ref) =>
        cancelRegistration(registrationDeps, ref),
      ),
    )
    .get('/:id/refund', requirePermission('admin'), requireSecondFactor, async (c) => {
      const row = await findRegistration(db, registrationRef(c));
      const path = pathOf(c, registrationRef(c));
      const currency = await organizationCurrency(db, row.organization_id);
      const cents = row.amount_paid_cents - row.refunded_cents;
      const money = formatMoney(cents, currency, LOCALE);
      const text = row.processor_payment_intent_id
        ? `${money} will be refunded to the card that paid, and the seats become available again. A refund cannot be undone.`
        : `${money} was paid outside Connect. The refund is only recorded here: return the money to the attendee yourself. The seats become available again.`;
      const content = confirmation({ text, buttonLabel: `Refund ${money}`, cancelHref: path });
      const name = row.attendee_name ?? 'No name';
      return c.html(dashboardPage(subpageContext(c, path, name), `Refund ${name}?`, content));
    })
    .post('/:id/refund', requirePermission('admin'), requireSecondFactor, async (c) => {
      const { processor_payment_intent_id: intent } = await findRegistration(
        db,
        registrationRef(c),
      );
      // A refund at Stripe requires the `payments:write` permission. A payment made outside Connect
      // does not.
      if (intent && !hasPermission(c.var.organization, 'payments:write')) {
        const text =
          'To refund a card payment, you need the permission “Accept donations for you”.';
        return await c.var.redirectWithFlash(pathOf(c, registrationRef(c)), {
          kind: 'problem',
          text,
        });
      }
      return await runRegistrationAction(c, 'Registration refunded.', (ref) =>
        refundRegistration(
          { ...registrationDeps, processor: deps.processor },
          ref,
          c.var.pageContext.person.id,
        ),
      );
    });
};

const PAYMENT_NOT_REFUNDED_TEXT =
  ' The payment is not refunded. To refund it, refund the registration instead.';
