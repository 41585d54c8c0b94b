/**
 * Admin actions of the sandbox, which simulate actions of Stripe, of a bank or of the nonprofit:
 * buttons on the front page, and routes under `/sandbox` for programs.
 */
import { setCapability } from './accounts.ts';
import type { Ledger } from './ledger.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { endMandate } from './mandates.ts';
import { createRefund } from './refunds.ts';
import { required } from './params.ts';
import { chargeMonthlyFee, holdReserve } from './payouts.ts';

type RequestBody = Record<string, unknown>;

const requiredText = (body: RequestBody, name: string): string =>
  required(typeof body[name] === 'string' ? body[name] : undefined, name);

/**
 * Actions by path under `/sandbox`. The field `account` of the request selects the ledger
 * (`sandbox-admin.ts`).
 */
export const ADMIN_ACTIONS: Record<string, (ledger: Ledger, body: RequestBody) => object> = {
  '/disputes': (ledger, body) =>
    openDispute(ledger, requiredText(body, 'charge'), body['inquiry'] !== true),
  '/disputes/close': (ledger, body) => {
    const dispute = ledger.find('dispute', requiredText(body, 'dispute'));
    return closeDispute(ledger, dispute, body['outcome'] === 'won' ? 'won' : 'lost');
  },
  '/refunds': (ledger, body) => {
    const amount = body['amount'] ? Number(body['amount']) : undefined;
    return createRefund(ledger, ledger.find('charge', requiredText(body, 'charge')), { amount });
  },
  '/mandates/end': (ledger, body) => endMandate(ledger, requiredText(body, 'payment_method')),
  '/capabilities': (ledger, body) =>
    setCapability(ledger, requiredText(body, 'capability'), body['active'] !== false),
  '/subscriptions/fail-next': (ledger, body) => {
    const { id } = ledger.find('subscription', requiredText(body, 'subscription'));
    ledger.setHidden(id, { fails_next: true });
    return { object: 'sandbox.setting', id, fails_next: true };
  },
  '/fees': (ledger, body) =>
    chargeMonthlyFee(ledger, Number(body['amount'] ?? 1000), requiredText(body, 'currency')),
  '/reserves': (ledger, body) =>
    holdReserve(ledger, Number(required(body['amount'], 'amount')), requiredText(body, 'currency')),
  '/payouts/fail-next': (ledger) => {
    ledger.set('payout_fails', true);
    return { object: 'sandbox.setting', account: ledger.account, payout_fails: true };
  },
};
