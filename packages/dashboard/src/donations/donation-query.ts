import type { Deps } from '../pages/deps.ts';
import {
  filterDonations,
  type DonationFilters as ApiFilters,
} from '@connect-embed/api/resources/donations/donation-filters';
import type { DonationStatus } from '@connect-embed/api/resources/donations/donation-status';
import {
  CARD_BRAND_LABELS,
  PAYMENT_METHOD_LABELS,
} from '@connect-embed/api/resources/donations/payment-method';
import type { FilterValues } from '@connect-embed/api/resources/lists/list-definition';
import { DONATION_SEARCH, withSearch } from '@connect-embed/api/resources/search/search';
import type { DashboardContext } from '../pages/env.ts';
import type { FormFields } from '../pages/fields.ts';
import { DONATION_STATUSES } from './donation-status.ts';
import {
  readAmounts,
  readId,
  readListFilters,
  readMode,
  readOption,
  type ListFilters,
} from '../pages/lists/list-filters.ts';
import { fileFormName } from '../pages/lists/file-forms.ts';
import { readSearch } from '../pages/lists/encrypted-search.ts';

/** Filters of the API's donation list, including the filters to which a search text is parsed. */
export type DonationFilters = FilterValues<ApiFilters> & { q?: never };

/**
 * Filters of the dashboard's donation list, also as a database query. The search text in the URL
 * parameters is encrypted.
 */
export interface DonationView extends ListFilters {
  q: string;
  query: DonationFilters;
  currency: string;
  /** True if the encrypted search in the URL has expired. */
  isSearchExpired: boolean;
}

/**
 * Form fields that are plain URL parameters, besides the period. The search text is not one of them,
 * because it is encrypted.
 */
export const DONATION_PARAMS = [
  'status',
  'fund',
  'campaign',
  'form',
  'frequency',
  'method',
  'brand',
  'min',
  'max',
  'payout',
  'mode',
] as const;

/** Reads the filters from the URL of a donation list. */
export async function readDonationView(deps: Deps, c: DashboardContext): Promise<DonationView> {
  const { organizationId, currency } = c.var.organization;
  const { q = '', params: search, isExpired } = await readSearch(c, deps, 'donations');
  const filters = readListFilters(c, DONATION_PARAMS);
  const conditions = { ...filters.bounds, ...readFilters(filters.fields, currency) };
  return {
    ...filters,
    q,
    params: { ...filters.params, ...search },
    pageParams: { ...filters.pageParams, ...search },
    query: withSearch({ ...conditions, ...(q && { q }) }, DONATION_SEARCH, {
      organizationId,
      currency,
    }),
    currency,
    isSearchExpired: isExpired,
  };
}

const FREQUENCIES = { one_time: 'false', recurring: 'true' } as const;

function readFilters(fields: FormFields, currency: string): DonationFilters {
  const status = readOption(fields, 'status', Object.keys(DONATION_STATUSES) as DonationStatus[]);
  const frequency = readOption(
    fields,
    'frequency',
    Object.keys(FREQUENCIES) as ('one_time' | 'recurring')[],
  );
  const method = readOption(fields, 'method', Object.keys(PAYMENT_METHOD_LABELS));
  const brand = readOption(fields, 'brand', Object.keys(CARD_BRAND_LABELS));
  const formName = fileFormName(fields.value('form'));
  const ids = {
    fund_id: readId(fields, 'fund'),
    campaign_id: readId(fields, 'campaign'),
    ...(formName ? { form_name: formName } : { form_id: readId(fields, 'form') }),
    payout_id: readId(fields, 'payout'),
  };
  return {
    ...(status && DONATION_STATUSES[status].query),
    ...(frequency && { recurring: FREQUENCIES[frequency] }),
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id)),
    ...(method && { payment_method: method }),
    ...(brand && { card_brand: brand }),
    ...readMode(fields),
    ...readAmounts(fields, currency),
  };
}

/** Selects the donations that match the filters, with the name of their fund. */
export const selectDonations = (db: Deps['db'], organizationId: string, query: DonationFilters) =>
  filterDonations(db, organizationId, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name');
