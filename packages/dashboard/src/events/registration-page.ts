import { formatMoney } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { eventState, isActionAllowed } from '@connect-embed/api/resources/events/event-state';
import type { EventRow } from '@connect-embed/api/resources/events/capacity';
import { canTransition } from '@connect-embed/api/resources/events/registration-states';
import type { RegistrationRow } from '@connect-embed/api/payments/registrations/find-registration';
import { listTicketTypes } from '@connect-embed/api/resources/events/ticket-types';
import { LOCALE } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { eventTimeElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext } from '../pages/env.ts';
import { hasPermission } from '../pages/navigation.ts';
import { renderPage } from '../pages/render-page.ts';
import { facts } from '../pages/table.ts';
import { eventLink, loadEvent } from './event-in-path.ts';
import { statusBadge } from './event-labels.ts';
import { loadRegistration, registrationLink } from './registration-in-path.ts';

interface View {
  path: string;
  event: EventRow;
  row: RegistrationRow;
  ticket: string | null;
  currency: string;
  mayEdit: boolean;
}

/** Renders the page of one registration with the actions that its status allows. */
export async function renderRegistrationPage(
  c: DashboardContext,
  db: Deps['db'],
): Promise<Response> {
  const event = await loadEvent(db, c, 'event');
  const row = await loadRegistration(db, c);
  const tickets = await listTicketTypes(db, event.id);
  const { href: path, text: title } = registrationLink(row, c);
  const view = {
    path,
    event,
    row,
    ticket: tickets.find(({ id }) => id === row.ticket_type_id)?.name ?? null,
    currency: c.var.organization.currency,
    mayEdit: hasPermission(c.var.organization, 'admin'),
  };
  const content = html`${actions(view)} ${detailsView(view)}`;
  return renderPage(c, { title, backLink: eventLink(event, c), content });
}

function actions({ path, event, row, mayEdit }: View): Html {
  const state = eventState(event);
  const { status } = row;
  const isCheckInOpen = isActionAllowed('admit', state);
  const isRefundable = row.amount_paid_cents > row.refunded_cents;
  const button = (name: string, text: string, kind = '') =>
    html`<form method="post" action="${path}/${name}">
      <button class="${kind}">${text}</button>
    </form>`;
  const link = (name: string, text: string, kind: string) =>
    html`<a class="button ${kind}" href="${path}/${name}">${text}</a>`;
  return html`<div class="buttons event-actions">
    ${statusBadge(status)}
    ${mayEdit && isCheckInOpen && canTransition('confirm', status) ? button('confirm', 'Confirm') : ''}
    ${isCheckInOpen && canTransition('check_in', status) ? button('check-in', 'Check in') : ''}
    ${canTransition('undo_check_in', status) ? button('undo-check-in', 'Undo check-in', 'secondary') : ''}
    ${mayEdit ? link('correct', 'Edit', 'secondary') : ''}
    ${mayEdit && canTransition('cancel', status) ? link('cancel', 'Cancel registration', 'danger') : ''}
    ${mayEdit && isRefundable && canTransition('refund', status) ? link('refund', 'Refund', 'danger') : ''}
  </div>`;
}

const detailsView = ({ event, row, ticket, currency }: View) => {
  const at = (date: Date | null) => date && eventTimeElement(date, event.timezone);
  const money = (cents: number) => formatMoney(cents, currency, LOCALE);
  return html`<section class="panel" aria-label="About the registration">
    ${facts([
      ['Name', row.attendee_name],
      ['Email', row.attendee_email],
      ['Phone', row.attendee_phone],
      ['Seats', row.quantity],
      ['Ticket type', ticket],
      ['Attendees', row.attendee_names.join(', ')],
      ['Paid', money(row.amount_paid_cents)],
      ['Payment method', paymentMethodText(row)],
      ['Refunded', row.refunded_cents ? money(row.refunded_cents) : null],
      ['Refunded on', at(row.refunded_at)],
      ['Registered', at(row.created_at)],
      ['Checked in', at(row.checked_in_at)],
    ])}
  </section>`;
};

const paymentMethodText = ({ amount_paid_cents, processor_payment_intent_id }: RegistrationRow) => {
  if (amount_paid_cents === 0) return null;
  return processor_payment_intent_id ? 'Card' : 'Outside Connect';
};
