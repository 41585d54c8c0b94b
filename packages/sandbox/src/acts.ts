/** What a person can have happen from the front page, and a program by `/sandbox`. */
import type { Books } from './books.ts';
import { closeDispute, openDispute } from './disputes.ts';
import { createRefund } from './refunds.ts';
import { required } from './params.ts';

type Asked = Record<string, unknown>;

const textOf = (asked: Asked, name: string): string =>
  required(typeof asked[name] === 'string' ? asked[name] : undefined, name);

/** By path under `/sandbox`; each names its `account` besides. */
export const ACTS: Record<string, (books: Books, asked: Asked) => object> = {
  '/disputes': (books, asked) =>
    openDispute(books, textOf(asked, 'charge'), asked['inquiry'] !== true),
  '/disputes/close': (books, asked) => {
    const dispute = books.find('dispute', textOf(asked, 'dispute'));
    return closeDispute(books, dispute, asked['outcome'] === 'won' ? 'won' : 'lost');
  },
  '/refunds': (books, asked) => {
    const amount = asked['amount'] ? Number(asked['amount']) : undefined;
    return createRefund(books, books.find('charge', textOf(asked, 'charge')), { amount });
  },
  '/subscriptions/fail-next': (books, asked) => {
    const { id } = books.find('subscription', textOf(asked, 'subscription'));
    books.hide(id, { fails_next: true });
    return { object: 'sandbox.setting', id, fails_next: true };
  },
  '/payouts/fail-next': (books) => {
    books.set('payout_fails', true);
    return { object: 'sandbox.setting', account: books.account, payout_fails: true };
  },
};
