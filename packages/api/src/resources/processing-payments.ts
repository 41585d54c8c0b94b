import { ProcessingPaymentQuery } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { requireScope } from '../auth/require-scope.ts';
import type { OrganizationScope } from '../db/organization-scope.ts';
import type { Env } from '../http/env.ts';
import type { RequestDeps } from '../payments/deps.ts';
import { ListReader } from './lists/list.ts';
import { iso, isoOrNull, objectType } from './resource-columns.ts';

/**
 * `GET /payment-intents?status=processing` lists the payments whose money is on its way:
 * docs/decisions/0124-money-that-arrives-later.md
 */
export const processingPayments = (deps: RequestDeps) => {
  const list = new ListReader<Pick<ProcessingPaymentQuery, 'status' | 'livemode'>>(deps, {
    table: 'payment_intent',
    select: selectPayments,
    createdAtField: 'created_at',
    filters: {
      status: () => IS_PROCESSING,
      livemode: (value) => sql`payment_intent.livemode = ${value}::boolean`,
    },
  });
  return new Hono<Env>().get(
    '/',
    requireScope('donations:read'),
    queryParams(ProcessingPaymentQuery),
    async (c) =>
      c.json(await list.readPage(c.var.credential.organization.id, c.req.valid('query'))),
  );
};

/** SQL condition of a payment whose money is on its way. It is a literal, as in the condition of the index. */
export const IS_PROCESSING = sql<boolean>`payment_intent.status = 'processing'`;

/** SQL: whether a payment intent is a payment of a recurring donation. */
export const IS_RECURRING = sql<boolean>`payment_intent.plan_id is not null`;

const selectPayments = (organization: OrganizationScope) =>
  organization
    .selectFrom('payment_intent')
    .select([
      'payment_intent.id',
      objectType('processing_payment'),
      'payment_intent.amount_cents',
      'payment_intent.currency',
      'payment_intent.payment_method',
      'payment_intent.donor_name',
      'payment_intent.donor_email',
      'payment_intent.fund_id',
      'payment_intent.campaign_id',
      'payment_intent.form_id',
      IS_RECURRING.as('recurring'),
      isoOrNull('payment_intent.expected_at').as('expected_at'),
      iso('payment_intent.created_at').as('created_at'),
      'payment_intent.reference',
      'payment_intent.livemode',
    ]);
