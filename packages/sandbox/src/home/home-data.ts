import type { DatabaseSync } from 'node:sqlite';
import { sql } from '../database.ts';
import type { Fault } from '../faults.ts';

/** Maximum number of rows of each table on the sandbox's front page. The API returns all rows. */
const MAX_ROWS = 15;

export type PaymentRow = {
  id: string;
  account: string;
  created: number;
  amount: number;
  refunded: number;
  disputed: number;
  currency: string;
  status: string;
  failure: string | null;
  method: string;
  /** Null for PayPal. */
  last4: string | null;
};

export type SubscriptionRow = {
  id: string;
  account: string;
  email: string | null;
  status: string;
  amount: number;
  currency: string;
  interval: string;
  interval_count: number;
  current_period_end: number;
  fails_next: number | null;
  /** Payment method with an active mandate, which the donor can revoke. */
  debited_method: string | null;
};

export type PayoutRow = {
  id: string;
  account: string;
  amount: number;
  currency: string;
  status: string;
  arrival_date: number;
};

export type DisputeRow = {
  id: string;
  account: string;
  amount: number;
  currency: string;
  status: string;
  /** Null for a debit that the bank has taken back. */
  due_by: number | null;
};

export type EventRow = { type: string; created: number; account: string; result: string | null };

export type HomeData = {
  now: number;
  payments: PaymentRow[];
  subscriptions: SubscriptionRow[];
  payouts: PayoutRow[];
  disputes: DisputeRow[];
  events: EventRow[];
  pending_deliveries: number;
  faults: Fault[];
};

const PAYMENTS = `select id, account, created, body ->> 'amount' amount,
    body ->> 'amount_refunded' refunded, body ->> 'disputed' disputed, body ->> 'currency' currency,
    body ->> 'status' status, body ->> 'failure_message' failure,
    coalesce(body ->> '$.payment_method_details.card.brand', body ->> '$.payment_method_details.type') method,
    coalesce(body ->> '$.payment_method_details.card.last4',
      body ->> '$.payment_method_details.sepa_debit.last4',
      body ->> '$.payment_method_details.us_bank_account.last4') last4
  from object where kind = 'charge' order by seq desc limit ${MAX_ROWS}`;

const SUBSCRIPTIONS = `select id, account, body ->> 'status' status, body ->> 'currency' currency,
    body ->> '$.items.data[0].price.unit_amount' * body ->> '$.items.data[0].quantity' amount,
    body ->> '$.items.data[0].price.recurring.interval' interval,
    body ->> '$.items.data[0].price.recurring.interval_count' interval_count,
    body ->> '$.items.data[0].current_period_end' current_period_end,
    hidden ->> 'fails_next' fails_next,
    (select mandate.body ->> 'payment_method' from object method, object mandate
      where method.id = object.body ->> 'default_payment_method'
        and mandate.id = method.hidden ->> 'mandate' and mandate.body ->> 'status' = 'active') debited_method,
    (select c.body ->> 'email' from object c where c.id = object.body ->> 'customer') email
  from object where kind = 'subscription' order by seq desc limit ${MAX_ROWS}`;

const PAYOUTS = `select id, account, body ->> 'amount' amount, body ->> 'currency' currency,
    body ->> 'status' status, body ->> 'arrival_date' arrival_date
  from object where kind = 'payout' order by seq desc limit ${MAX_ROWS}`;

const DISPUTES = `select id, account, body ->> 'amount' amount, body ->> 'currency' currency,
    body ->> 'status' status, body ->> '$.evidence_details.due_by' due_by
  from object where kind = 'dispute' order by seq desc limit ${MAX_ROWS}`;

const EVENTS = `select body ->> 'type' type, created, account,
    (select last_result from delivery where event_id = object.id order by id limit 1) result
  from object where kind = 'event' order by seq desc limit ${MAX_ROWS}`;

const PENDING_DELIVERIES = 'select count(*) pending from delivery where delivered_at is null';

/** Loads the tables of the front page, for all accounts together. */
export function readHomeData(db: DatabaseSync, now: number, faults: Fault[]): HomeData {
  const rows = <Row>(query: string) => sql(db, query).all() as unknown as Row[];
  return {
    now,
    faults,
    payments: rows<PaymentRow>(PAYMENTS),
    subscriptions: rows<SubscriptionRow>(SUBSCRIPTIONS),
    payouts: rows<PayoutRow>(PAYOUTS),
    disputes: rows<DisputeRow>(DISPUTES),
    events: rows<EventRow>(EVENTS),
    pending_deliveries: Number(sql(db, PENDING_DELIVERIES).get()?.['pending']),
  };
}
