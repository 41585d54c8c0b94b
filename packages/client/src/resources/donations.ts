import type {
  Donation,
  DonationExportQuery,
  DonationFund,
  DonationListQuery,
  DonationSeries,
  DonationSeriesQuery,
  DonationSummary,
  DonationSummaryQuery,
  ListQuery,
  RecurringPlan,
  RecurringPlanListQuery,
} from '@connect-embed/contract';
import { formatQuery } from '@connect-embed/contract/transport';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

export const donationMethods = (call: Call) => ({
  /** Lists donations, by default newest first. Scope: `donations:read`. */
  list: (filters?: Filters<DonationListQuery>, options?: RequestOptions) =>
    new ResourceList<Donation>(call, '/donations', filters, options),

  /** Reads a donation. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<Donation>('GET', path`/donations/${id}`, undefined, options),

  /** Counts and sums donations, one row per currency. */
  summary: (filters: Filters<DonationSummaryQuery> = {}, options?: RequestOptions) =>
    call<DonationSummary>('GET', `/donations/summary${formatQuery(filters)}`, undefined, options),

  /** Counts and sums donations by day, week, month or year, oldest first. */
  series: (filters: Filters<DonationSeriesQuery> = {}, options?: RequestOptions) =>
    call<DonationSeries>('GET', `/donations/series${formatQuery(filters)}`, undefined, options),

  /** Reads a CSV file of all donations that match. Set a longer `timeoutMs` of the client for a large file. */
  exportCsv: (filters: Filters<DonationExportQuery> = {}, options?: RequestOptions) =>
    call<string>('GET', `/donations/export.csv${formatQuery(filters)}`, undefined, options),

  /** Lists the funds that have donations. */
  funds: (filters?: Filters<ListQuery>, options?: RequestOptions) =>
    new ResourceList<DonationFund>(call, '/donations/funds', filters, options),
});

export const recurringPlanMethods = (call: Call) => ({
  /** Lists recurring donations, newest first. Scope: `donations:read`. */
  list: (filters?: Filters<RecurringPlanListQuery>, options?: RequestOptions) =>
    new ResourceList<RecurringPlan>(call, '/recurring-plans', filters, options),

  /** Reads a recurring donation. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<RecurringPlan>('GET', path`/recurring-plans/${id}`, undefined, options),
});
