import type { Deps } from '../pages/deps.ts';
import {
  filterDonations,
  type DonationFilters as ListFilters,
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
  filteredUrl,
  readAmounts,
  readId,
  readListFilters,
  readMode,
  readOption,
} from '../pages/lists/list-filters.ts';
import { fileFormName } from '../pages/lists/file-forms.ts';
import { decryptSearch } from '../pages/lists/encrypted-search.ts';

/** Filters of the API's donation list, including the filters to which a search text is parsed. */
export type DonationFilters = FilterValues<ListFilters> & { q?: never };

/**
 * Filters of the dashboard's donation list: as form fields, as URL parameters and as a database
 * query.
 */
export interface DonationView {
  /** Form values and their errors. */
  fields: FormFields;
  /** URL parameters. The search text in them is encrypted. */
  params: Record<string, string>;
  /**
   * URL parameters for pagination. A relative period such as “last 7 days” is replaced by its
   * dates, because the cursor is valid only for the same dates.
   */
  pageParams: Record<string, string>;
  query: DonationFilters;
  currency: string;
  /** Name of the period for the file name of an export. */
  period: string;
  /** True if the encrypted search in the URL has expired. */
  isSearchExpired: boolean;
}

/**
 * Form fields that are plain URL parameters, besides the period. The search text is not one of them,
 * because it is encrypted.
 */
const PARAMS = [
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
export async function readDonationView(
  { searchEncrypter }: Deps,
  c: DashboardContext,
): Promise<DonationView> {
  const { organizationId, currency } = c.var.organization;
  const encryptedSearch = c.req.query('search') ?? '';
  const list = { organizationId, list: 'donations' } as const;
  const q = encryptedSearch
    ? await decryptSearch(searchEncrypter, list, encryptedSearch)
    : undefined;
  const filters = readListFilters(c, PARAMS, (name) =>
    name === 'q' ? (q ?? '') : (c.req.query(name) ?? ''),
  );
  const { fields, period, bounds } = filters;
  const search = q !== undefined && { search: encryptedSearch };
  const conditions = { ...bounds, ...readFilters(fields, currency) };
  return {
    fields,
    params: { ...filters.params, ...search },
    pageParams: { ...filters.pageParams, ...search },
    query: withSearch({ ...conditions, ...(q && { q }) }, DONATION_SEARCH, {
      organizationId,
      currency,
    }),
    currency,
    period,
    isSearchExpired: encryptedSearch !== '' && q === undefined,
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

/** Returns the URL of the list with the submitted filters and the encrypted search text. */
export const listUrl = (path: string, value: (name: string) => string, search?: string): string =>
  filteredUrl(path, PARAMS, value, search);

/** Selects the donations that match the filters, with the name of their fund. */
export const selectDonations = (db: Deps['db'], organizationId: string, query: DonationFilters) =>
  filterDonations(db, organizationId, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .selectAll('donation')
    .select('fund.name as fund_name');
