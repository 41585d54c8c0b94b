import type {
  ListQuery,
  Payout,
  BalanceTransaction,
  PayoutExportQuery,
  PayoutListQuery,
  PayoutSummary,
  PayoutSummaryQuery,
} from '@connect-embed/contract';
import { formatQuery } from '@connect-embed/contract/transport';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

export const payoutMethods = (call: Call) => ({
  /** Lists payouts, by default newest first. Scope: `payouts:read`. */
  list: (filters?: Filters<PayoutListQuery>, options?: RequestOptions) =>
    new ResourceList<Payout>(call, '/payouts', filters, options),

  /** Reads a payout. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<Payout>('GET', path`/payouts/${id}`, undefined, options),

  /** Counts and sums payouts, one row per currency. */
  summary: (filters: Filters<PayoutSummaryQuery> = {}, options?: RequestOptions) =>
    call<PayoutSummary>('GET', `/payouts/summary${formatQuery(filters)}`, undefined, options),

  /** Reads a CSV file of all payouts that match. Set a longer `timeoutMs` of the client for a large file. */
  exportCsv: (filters: Filters<PayoutExportQuery> = {}, options?: RequestOptions) =>
    call<string>('GET', `/payouts/export.csv${formatQuery(filters)}`, undefined, options),

  /** Lists the balance transactions of a payout: donations, refunds, disputes, fees and others. */
  transactions: (id: string, filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<BalanceTransaction>(call, path`/payouts/${id}/transactions`, filters, options),
});
