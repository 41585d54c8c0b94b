import { sql } from 'kysely';
import { isCounted } from '@connect-embed/api/db/counted';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import type { Db } from '@connect-embed/api/db/schema';
import {
  DONOR_TOTALS,
  RAISED_CENTS,
  selectInOwnCurrency,
  TOTALS,
} from '@connect-embed/api/resources/donations/own-currency';
import { FILE_FORM_PREFIX, fileFormName, fileFormText } from '../pages/lists/file-forms.ts';
import type { Days, MonthPeriods } from './month-periods.ts';

/** Totals of a period in one currency. */
export interface Totals {
  /** Donations less refunds and disputes, in minor units. */
  raised_cents: number;
  /** The part of it from recurring donations. */
  recurring_cents: number;
  donations: number;
  donors: number;
}

/** Raised amounts by day, in minor units. */
type ByDay = number[];

/** The totals of both periods in one currency. */
export interface CurrencyTotals {
  currency: string;
  current: Totals & { byDay: ByDay };
  previous: Totals & { byDay: ByDay };
}

const RECURRING_CENTS = sql<number>`coalesce(
  sum(donation.remaining_amount_cents) filter (where recurring), 0)::float8`;

/**
 * SQL condition of donations whose money arrived in a period. Its index contains all columns of the totals
 * (`donation_list`).
 */
const arrivedIn = ({ starts, end }: Days) =>
  sql<boolean>`donation.created_at >= ${starts[0]} and donation.created_at < ${end}`;

/** Loads the totals of a period by currency. */
const loadTotals = (db: Db, organizationId: string, days: Days) => {
  const byDonor = forOrganization(db, organizationId)
    .selectFrom('donation')
    .where(arrivedIn(days))
    .where(isCounted('donation', organizationId))
    .groupBy(['donation.currency', 'donation.contact_id'])
    .select(DONOR_TOTALS)
    .select(['donation.currency', RECURRING_CENTS.as('recurring_cents')]);
  return db
    .selectFrom(byDonor.as('by_donor'))
    .groupBy('currency')
    .select(TOTALS)
    .select(['currency', sql<number>`sum(recurring_cents)::float8`.as('recurring_cents')])
    .execute();
};

/** Loads the amounts of a period by currency and day. Days count from 1. */
const loadByDay = (db: Db, organizationId: string, days: Days) => {
  const day = sql<number>`width_bucket(donation.created_at, ${days.starts}::timestamptz[])`;
  return forOrganization(db, organizationId)
    .selectFrom('donation')
    .where(arrivedIn(days))
    .where(isCounted('donation', organizationId))
    .groupBy(['donation.currency', sql`2`]) // The day: an expression with parameters must be repeated.
    .select(['donation.currency', day.as('day'), RAISED_CENTS.as('raised_cents')])
    .execute();
};

async function loadPeriod(db: Db, organizationId: string, days: Days) {
  const [totals, byDay] = await Promise.all([
    loadTotals(db, organizationId, days),
    loadByDay(db, organizationId, days),
  ]);
  const none = { raised_cents: 0, recurring_cents: 0, donations: 0, donors: 0 };
  const ofCurrency = (currency: string) => {
    const amounts = Array.from({ length: days.last.day }, () => 0);
    for (const row of byDay) if (row.currency === currency) amounts[row.day - 1] = row.raised_cents;
    const { currency: _, ...sums } = totals.find((row) => row.currency === currency) ?? {
      currency,
      ...none,
    };
    return { ...sums, byDay: amounts };
  };
  return { currencies: totals.map(({ currency }) => currency), ofCurrency };
}

/**
 * Loads the totals of both periods for each currency with donations. The organization's own currency is
 * always first.
 */
export async function loadMonthTotals(
  db: Db,
  { organizationId, currency: own }: { organizationId: string; currency: string },
  periods: MonthPeriods,
): Promise<CurrencyTotals[]> {
  const [current, previous] = await Promise.all([
    loadPeriod(db, organizationId, periods.current),
    loadPeriod(db, organizationId, periods.previous),
  ]);
  const others = [...current.currencies, ...previous.currencies].filter((code) => code !== own);
  return [own, ...new Set(others.sort())].map((currency) => ({
    currency,
    current: current.ofCurrency(currency),
    previous: previous.ofCurrency(currency),
  }));
}

/** What a form or a fund has raised in both periods, in the organization's currency. */
export interface Comparison {
  /** Null for the row of the others, and of donations without one. */
  id: string | null;
  name: string;
  raised_cents: number;
  donations: number;
  previous_cents: number;
}

/** Maximum number of forms and of funds on the home page. All other donations are one row. */
const MAX_COMPARED = 10;

/** Loads what each form or fund has raised in both periods, largest first, and all other donations at the end. */
export async function loadComparison(
  db: Db,
  organizationId: string,
  { current, previous }: MonthPeriods,
  kind: 'form' | 'fund',
): Promise<Comparison[]> {
  const id =
    kind === 'form'
      ? sql<
          string | null
        >`coalesce(donation.form_id, ${sql.lit(FILE_FORM_PREFIX)} || donation.form_name)`
      : sql<string | null>`donation.fund_id`;
  const select = (days: Days) =>
    selectInOwnCurrency(db, organizationId)
      .where(arrivedIn(days))
      .groupBy(id)
      .select([id.as('id'), RAISED_CENTS.as('raised_cents')])
      .select(sql<number>`count(*)::int`.as('donations'))
      .execute();
  const [now, before] = await Promise.all([select(current), select(previous)]);
  const ids = new Set([...now, ...before].map(({ id }) => id));
  const names = await loadNames(db, organizationId, kind, [...ids]);
  const rows = [...ids]
    .map((id): Comparison => {
      const row = now.find((raised) => raised.id === id);
      return {
        id,
        name: names.get(id) ?? '',
        raised_cents: row?.raised_cents ?? 0,
        donations: row?.donations ?? 0,
        previous_cents: before.find((raised) => raised.id === id)?.raised_cents ?? 0,
      };
    })
    .sort((a, b) => b.raised_cents - a.raised_cents || b.previous_cents - a.previous_cents);
  const named = rows.filter(({ id }) => id !== null);
  const others = [...rows.filter(({ id }) => id === null), ...named.slice(MAX_COMPARED)];
  return [
    ...named.slice(0, MAX_COMPARED),
    ...(others.length > 0 ? [sumOf('Other donations', others)] : []),
  ];
}

const sumOf = (name: string, rows: readonly Comparison[]): Comparison => {
  const total = (key: 'raised_cents' | 'donations' | 'previous_cents') =>
    rows.reduce((sum, row) => sum + row[key], 0);
  return {
    id: null,
    name,
    raised_cents: total('raised_cents'),
    donations: total('donations'),
    previous_cents: total('previous_cents'),
  };
};

async function loadNames(
  db: Db,
  organizationId: string,
  kind: 'form' | 'fund',
  ids: (string | null)[],
): Promise<Map<string | null, string>> {
  const known = ids.filter((id) => id !== null);
  const names = new Map<string | null, string>();
  for (const id of known) {
    const name = fileFormName(id);
    if (name !== undefined) names.set(id, fileFormText(name));
  }
  const stored = known.filter((id) => !names.has(id));
  if (stored.length === 0) return names;
  const rows = await forOrganization(db, organizationId)
    .selectFrom(kind)
    .select(['id', 'name'])
    .where('id', 'in', stored)
    .execute();
  for (const { id, name } of rows) names.set(id, name);
  return names;
}
