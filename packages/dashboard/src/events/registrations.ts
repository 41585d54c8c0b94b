import { ConnectError, formatMoney } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import type { EventRow, TicketTypeRow } from '@connect-embed/api/resources/events/capacity';
import { refundRegistration } from '@connect-embed/api/resources/events/refund-registration';
import {
  createRegistration,
  type RegistrationInput,
} from '@connect-embed/api/resources/events/register';
import {
  cancelRegistration,
  checkIn,
  confirmRegistration,
  updateAttendee,
  undoCheckIn,
} from '@connect-embed/api/resources/events/registrations';
import type { RegistrationRow } from '@connect-embed/api/payments/registrations/find-registration';
import { listTicketTypes } from '@connect-embed/api/resources/events/ticket-types';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import { requirePermission } from '../pages/require-permission.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { actionRoutes, type Action } from '../pages/actions.ts';
import { formPage } from '../pages/form-page.ts';
import { eventLink, eventPath, eventRef, loadEvent } from './event-in-path.ts';
import {
  ATTENDEE_FIELDS,
  checkAttendeeNames,
  registrationFields,
  withAttendees,
  type AttendeeInput,
} from './registration-form.ts';
import { loadRegistration, registrationLink, registrationRef } from './registration-in-path.ts';
import { renderRegistrationPage } from './registration-page.ts';

/**
 * Dashboard pages where members create, confirm, check in, cancel and refund the registrations of
 * an event (API specification, section `registration`).
 */
export const registrations = (deps: Deps) => {
  const creation = creationPage(deps);
  const correction = correctionPage(deps);
  return new Hono<DashboardEnv>()
    .get('/new', requirePermission('admin'), creation.show)
    .post('/', requirePermission('admin'), creation.submit)
    .get('/:id', (c) => renderRegistrationPage(c, deps.db))
    .get('/:id/correct', requirePermission('admin'), correction.show)
    .post('/:id', requirePermission('admin'), correction.submit)
    .route('/:id', registrationActions(deps));
};

/** The dependencies of the functions that change registrations. */
const registrationDeps = ({ db, webhooks }: Deps) => ({ db, enqueue: webhooks.enqueue });

const creationPage = (deps: Deps) =>
  formPage<{ event: EventRow; tickets: TicketTypeRow[] }, RegistrationInput>({
    load: async (c) => {
      const event = await loadEvent(deps.db, c, 'event');
      return { event, tickets: await listTicketTypes(deps.db, event.id) };
    },
    title: () => 'Add registration',
    backLink: ({ event }, c) => eventLink(event, c),
    action: ({ event }, c) => `${eventPath(c, event.id)}/registrations`,
    fields: ({ event, tickets }, c) =>
      registrationFields(event, tickets, c.var.organization.currency),
    values: ({ event }) => ({
      quantity: 1,
      status: event.requires_approval ? 'pending' : 'confirmed',
    }),
    check: (input, form) => {
      if (!form.problems.has('quantity')) checkAttendeeNames(input, form, input.quantity);
    },
    submitLabel: 'Register',
    save: async (input, { event }, c) => {
      await createRegistration(registrationDeps(deps), eventRef(event), withAttendees(input));
      return { path: eventPath(c, event.id), success: `${input.attendee_name} is registered.` };
    },
  });

const correctionPage = (deps: Deps) =>
  formPage<RegistrationRow, AttendeeInput>({
    load: (c) => loadRegistration(deps.db, c),
    title: () => 'Edit registration',
    backLink: registrationLink,
    action: (row, c) => registrationLink(row, c).href,
    fields: () => ATTENDEE_FIELDS,
    values: (row) => ({ ...row, attendee_name: row.attendee_name ?? '' }),
    check: (input, form, { quantity }) => checkAttendeeNames(input, form, quantity),
    submitLabel: 'Save',
    save: async (input, row, c) => {
      await updateAttendee(registrationDeps(deps), registrationRef(row), withAttendees(input));
      return { path: registrationLink(row, c).href, success: 'Registration saved.' };
    },
  });

const registrationActions = (deps: Deps) =>
  actionRoutes<RegistrationRow>(
    { load: (c) => loadRegistration(deps.db, c), page: registrationLink },
    {
      confirm: {
        permission: 'admin',
        run: (row) => confirmRegistration(registrationDeps(deps), registrationRef(row)),
        success: 'Registration confirmed.',
      },
      'check-in': {
        run: (row) => checkIn(registrationDeps(deps), registrationRef(row)),
        success: 'Checked in.',
      },
      'undo-check-in': {
        run: (row) => undoCheckIn(registrationDeps(deps), registrationRef(row)),
        success: 'Check-in undone.',
      },
      cancel: {
        permission: 'admin',
        confirmation: cancellationConfirmation,
        run: (row) => cancelRegistration(registrationDeps(deps), registrationRef(row)),
        success: 'Registration canceled.',
      },
      refund: refundAction(deps),
    },
  );

const nameOf = ({ attendee_name }: RegistrationRow) => attendee_name ?? 'No name';

function cancellationConfirmation(row: RegistrationRow) {
  const isPaid = row.amount_paid_cents > row.refunded_cents;
  return {
    title: `Cancel the registration of ${nameOf(row)}?`,
    text: `The seats become available again. A canceled registration cannot be restored.${isPaid ? PAYMENT_NOT_REFUNDED_TEXT : ''}`,
    buttonLabel: 'Cancel registration',
  };
}

const PAYMENT_NOT_REFUNDED_TEXT =
  ' The payment is not refunded. To refund it, refund the registration instead.';

const refundAction = (deps: Deps): Action<RegistrationRow> => ({
  permission: 'admin',
  secondFactor: true,
  confirmation: (row, c) => {
    const cents = row.amount_paid_cents - row.refunded_cents;
    const money = formatMoney(cents, c.var.organization.currency, LOCALE);
    return {
      title: `Refund ${nameOf(row)}?`,
      text: row.processor_payment_intent_id
        ? `${money} will be refunded to the card that paid, and the seats become available again. A refund cannot be undone.`
        : `${money} was paid outside Connect. The refund is only recorded here: return the money to the attendee yourself. The seats become available again.`,
      buttonLabel: `Refund ${money}`,
    };
  },
  run: async (row, c) => {
    requireRefundPermission(row, c);
    await refundRegistration(
      { ...registrationDeps(deps), processor: deps.processor },
      registrationRef(row),
      c.var.pageContext.person.id,
    );
  },
  success: 'Registration refunded.',
});

/**
 * A refund at Stripe requires the `payments:write` permission. A payment made outside Connect does
 * not.
 *
 * @throws {ConnectError} `conflict`, so that the person sees the message on the page
 */
function requireRefundPermission(row: RegistrationRow, c: DashboardContext): void {
  if (!row.processor_payment_intent_id) return;
  if (hasPermission(c.var.organization, 'payments:write')) return;
  throw new ConnectError(
    'conflict',
    'To refund a card payment, you need the permission “Accept donations for you”.',
  );
}
