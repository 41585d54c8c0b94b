/**
 * Admin actions of the sandbox, which simulate actions of Stripe, of a bank or of the nonprofit:
 * buttons on the front page, and routes under `/sandbox` for programs.
 */
import type { Ledger } from './ledger.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { createRefund } from './refunds.ts';
import { required } from './params.ts';

type RequestBody = Record<string, unknown>;

const requiredText = (asked: RequestBody, name: string): string =>
  required(typeof asked[name] === 'string' ? asked[name] : undefined, name);

/**
 * Actions by path under `/sandbox`. The field `account` of the request selects the ledger
 * (`sandbox-admin.ts`).
 */
export const ADMIN_ACTIONS: Record<string, (ledger: Ledger, asked: RequestBody) => object> = {
  '/disputes': (ledger, asked) =>
    openDispute(ledger, requiredText(asked, 'charge'), asked['inquiry'] !== true),
  '/disputes/close': (ledger, asked) => {
    const dispute = ledger.find('dispute', requiredText(asked, 'dispute'));
    return closeDispute(ledger, dispute, asked['outcome'] === 'won' ? 'won' : 'lost');
  },
  '/refunds': (ledger, asked) => {
    const amount = asked['amount'] ? Number(asked['amount']) : undefined;
    return createRefund(ledger, ledger.find('charge', requiredText(asked, 'charge')), { amount });
  },
  '/subscriptions/fail-next': (ledger, asked) => {
    const { id } = ledger.find('subscription', requiredText(asked, 'subscription'));
    ledger.setHidden(id, { fails_next: true });
    return { object: 'sandbox.setting', id, fails_next: true };
  },
  '/payouts/fail-next': (ledger) => {
    ledger.set('payout_fails', true);
    return { object: 'sandbox.setting', account: ledger.account, payout_fails: true };
  },
};
