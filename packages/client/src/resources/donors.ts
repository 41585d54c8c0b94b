import type {
  Donor,
  DonorExportQuery,
  DonorListQuery,
  DonorSummary,
  DonorSummaryQuery,
} from '@connect-embed/contract';
import { formatQuery } from '@connect-embed/contract/transport';
import { path, type Call, type RequestOptions } from '../call.ts';
import type { Filters } from '../filters.ts';
import { ResourceList } from '../resource-list.ts';

export const donorMethods = (call: Call) => ({
  /** Lists donors, by default newest first. Scope: `donors:read`. */
  list: (filters?: Filters<DonorListQuery>, options?: RequestOptions) =>
    new ResourceList<Donor>(call, '/donors', filters, options),

  /** Reads a donor. @throws {ConnectError} `not_found` */
  get: (id: string, options?: RequestOptions) =>
    call<Donor>('GET', path`/donors/${id}`, undefined, options),

  /** Counts donors. */
  summary: (filters: Filters<DonorSummaryQuery> = {}, options?: RequestOptions) =>
    call<DonorSummary>('GET', `/donors/summary${formatQuery(filters)}`, undefined, options),

  /** Reads a CSV file of all donors that match. Set a longer `timeoutMs` of the client for a large file. */
  exportCsv: (filters: Filters<DonorExportQuery> = {}, options?: RequestOptions) =>
    call<string>('GET', `/donors/export.csv${formatQuery(filters)}`, undefined, options),
});
