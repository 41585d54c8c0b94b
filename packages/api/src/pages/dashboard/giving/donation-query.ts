import type { DonationSummaryQuery } from '@connect-embed/contract';
import type { Context } from 'hono';
import type { Deps } from '../../../env.ts';
import { filterDonations } from '../../../routes/donation-filters.ts';
import { DONATION_SEARCH, withSearch } from '../../../search/search.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { FormFields } from '../fields.ts';
import { organizationCurrency } from '../run-action.ts';
import { DONATION_STATUSES, type DonationStatus } from './donation-status.ts';
import { PAYMENT_METHODS } from './payment-method.ts';
import { periodBounds, periodName, readPeriod } from './period.ts';
import { decryptSearch } from './encrypted-search.ts';

/** What the database is asked: the filters of the API, with the search as it understands it. */
export type DonationFilters = Parameters<typeof filterDonations>[2];

/** What a list of donations is narrowed to: as its form shows it, its address says it, and the database reads it. */
export interface DonationView {
  /** The values of the form, and what is wrong with them. */
  fields: FormFields;
  /** What the address says; the search in it is encrypted. */
  params: Record<string, string>;
  /** The same for another page: its cursor is of certain days, and "last 7 days" are others tomorrow. */
  pageParams: Record<string, string>;
  query: DonationFilters;
  currency: string;
  /** As a file is named. */
  period: string;
  /** The address names a search that cannot be opened any more. */
  expired: boolean;
}

/** Fields of the form that an address carries as they are. The search is not among them. */
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

/** Reads the address of a list of donations. */
export async function readDonationView(
  { db, searchEncrypter }: Deps,
  c: Context<DashboardEnv>,
): Promise<DonationView> {
  const { organizationId, timeZone } = c.var.organization;
  const sealed = c.req.query('search') ?? '';
  const list = { organizationId, list: 'donations' } as const;
  const [q, currency] = await Promise.all([
    sealed ? decryptSearch(searchEncrypter, list, sealed) : undefined,
    organizationCurrency(db, organizationId),
  ]);
  const fields = new FormFields((name) => (name === 'q' ? (q ?? '') : (c.req.query(name) ?? '')));
  const params = Object.fromEntries(
    PARAMS.map((name) => [name, fields.value(name)] as const).filter(([, value]) => value),
  );
  if (q !== undefined) params['search'] = sealed;
  const period = readPeriod(fields, timeZone);
  const filters = { ...periodBounds(period, timeZone), ...readFilters(fields, currency) };
  const query = withSearch({ ...filters, ...(q && { q }) }, DONATION_SEARCH, { organizationId });
  const expired = sealed !== '' && q === undefined;
  const { period: named, ...others } = params;
  const pageParams = named ? { ...others, ...period } : params;
  return { fields, params, pageParams, query, currency, period: periodName(period), expired };
}

const FREQUENCIES = { one_time: 'false', recurring: 'true' } as const;

function readFilters(fields: FormFields, currency: string): DonationSummaryQuery {
  const chosen = <Value extends string>(name: string, values: readonly Value[]) =>
    fields.value(name) ? fields.oneOf(name, values) : undefined;
  const id = (name: string) => {
    const value = fields.value(name);
    if (value && !/^[\w-]{1,100}$/.test(value)) fields.addError(name, 'Choose one of these.');
    return value;
  };
  const status = chosen('status', Object.keys(DONATION_STATUSES) as DonationStatus[]);
  const frequency = chosen('frequency', Object.keys(FREQUENCIES) as ('one_time' | 'recurring')[]);
  const method = chosen('method', Object.keys(PAYMENT_METHODS));
  const [min, max] = [fields.money('min', currency), fields.money('max', currency)];
  if (min !== null && max !== null && max < min)
    fields.addError('max', 'Is less than the smallest.');
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
 * The address of a list after its form was sent. It leaves out empty filters, and it has dates only if
 * no named period is chosen.
 *
 * @param search the encrypted search text
 */
export function listUrl(path: string, value: (name: string) => string, search?: string): string {
  const params = new URLSearchParams();
  const named = value('period') !== '' && value('period') !== 'custom';
  for (const name of PARAMS) {
    const text = value(name).trim();
    if (text && !(named && (name === 'from' || name === 'to'))) params.set(name, text);
  }
  if (!named) params.delete('period');
  if (search) params.set('search', search);
  return params.size ? `${path}?${params}` : path;
}

/** Donations of a view, with the names that a list and a file show. */
export const selectDonations = (db: Deps['db'], organizationId: string, query: DonationFilters) =>
  filterDonations(db, organizationId, query)
    .leftJoin('fund', 'fund.id', 'donation.fund_id')
    .leftJoin('campaign', 'campaign.id', 'donation.campaign_id')
    .selectAll('donation')
    .select(['fund.name as fund_name', 'campaign.name as campaign_name']);

export type ListedDonation = Awaited<
  ReturnType<ReturnType<typeof selectDonations>['execute']>
>[number];
