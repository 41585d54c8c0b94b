import type { DonationSummaryQuery } from '@connect-embed/contract';
import type { Deps } from '../../deps.ts';
import { filterDonations } from '../../../resources/donations/donation-filters.ts';
import { DONATION_SEARCH, withSearch } from '../../../resources/search/search.ts';
import type { DashboardContext } from '../env.ts';
import { FormFields } from '../fields.ts';
import { DONATION_STATUSES, type DonationStatus } from './donation-status.ts';
import { PAYMENT_METHOD_LABELS } from './payment-method.ts';
import { periodBounds, periodName, readPeriod } from '../lists/period.ts';
import { decryptSearch } from '../lists/encrypted-search.ts';

/** Filters of the API's donation list, including the filters to which a search text is parsed. */
export type DonationFilters = Parameters<typeof filterDonations>[2];

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
 * Form fields that are plain URL parameters. The search text is not one of them, because it is
 * encrypted.
 */
const PARAMS = [
  'period',
  'from',
  'to',
  'status',
  'fund',
  'campaign',
  'frequency',
  'method',
  'min',
  'max',
  'payout',
] as const;

/** Reads the filters from the URL of a donation list. */
export async function readDonationView(
  { searchEncrypter }: Deps,
  c: DashboardContext,
): Promise<DonationView> {
  const { organizationId, timeZone, currency } = c.var.organization;
  const encryptedSearch = c.req.query('search') ?? '';
  const list = { organizationId, list: 'donations' } as const;
  const q = encryptedSearch
    ? await decryptSearch(searchEncrypter, list, encryptedSearch)
    : undefined;
  const fields = new FormFields((name) => (name === 'q' ? (q ?? '') : (c.req.query(name) ?? '')));
  const params = Object.fromEntries(
    PARAMS.map((name) => [name, fields.value(name)] as const).filter(([, value]) => value),
  );
  if (q !== undefined) params['search'] = encryptedSearch;
  const period = readPeriod(fields, timeZone);
  const filters = { ...periodBounds(period, timeZone), ...readFilters(fields, currency) };
  const query = withSearch({ ...filters, ...(q && { q }) }, DONATION_SEARCH, { organizationId });
  const expired = encryptedSearch !== '' && q === undefined;
  const { period: periodPreset, ...otherParams } = params;
  const pageParams = periodPreset ? { ...otherParams, ...period } : params;
  return {
    fields,
    params,
    pageParams,
    query,
    currency,
    period: periodName(period),
    isSearchExpired: expired,
  };
}

const FREQUENCIES = { one_time: 'false', recurring: 'true' } as const;

function readFilters(fields: FormFields, currency: string): DonationSummaryQuery {
  const optionOf = <Value extends string>(name: string, values: readonly Value[]) =>
    fields.value(name) ? fields.oneOf(name, values) : undefined;
  const id = (name: string) => {
    const value = fields.value(name);
    if (value && !/^[\w-]{1,100}$/.test(value)) fields.addError(name, 'Select an option.');
    return value;
  };
  const status = optionOf('status', Object.keys(DONATION_STATUSES) as DonationStatus[]);
  const frequency = optionOf('frequency', Object.keys(FREQUENCIES) as ('one_time' | 'recurring')[]);
  const method = optionOf('method', Object.keys(PAYMENT_METHOD_LABELS));
  const [min, max] = [fields.money('min', currency), fields.money('max', currency)];
  if (min !== null && max !== null && max < min)
    fields.addError('max', 'Must not be less than the minimum.');
  const [fund_id, campaign_id, payout_id] = [id('fund'), id('campaign'), id('payout')];
  return {
    ...(status && DONATION_STATUSES[status].query),
    ...(frequency && { recurring: FREQUENCIES[frequency] }),
    ...(fund_id && { fund_id }),
    ...(campaign_id && { campaign_id }),
    ...(payout_id && { payout_id }),
    ...(method && { payment_method: method }),
    ...(min !== null && { amount_from_cents: String(min) }),
    ...(max !== null && { amount_to_cents: String(max) }),
  };
}

/**
 * Returns the URL of the list with the submitted filters. Empty filters are omitted, and so are the
 * dates if a named period is chosen.
 *
 * @param search the encrypted search text
 */
export function listUrl(path: string, value: (name: string) => string, search?: string): string {
  const params = new URLSearchParams();
  const hasNamedPeriod = value('period') !== '' && value('period') !== 'custom';
  for (const name of PARAMS) {
    const text = value(name).trim();
    if (text && !(hasNamedPeriod && (name === 'from' || name === 'to'))) params.set(name, text);
  }
  if (!hasNamedPeriod) params.delete('period');
  if (search) params.set('search', search);
  return params.size ? `${path}?${params}` : path;
}

/** Selects the donations that match the filters, with the names of their fund and campaign. */
export const selectDonations = (db: Deps['db'], organizationId: string, query: DonationFilters) =>
  filterDonations(db, organizationId, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .leftJoin('campaign', 'campaign.id', 'donation.campaign_id')
    .selectAll('donation')
    .select(['fund.name as fund_name', 'campaign.name as campaign_name']);

export type ListedDonation = Awaited<
  ReturnType<ReturnType<typeof selectDonations>['execute']>
>[number];
