import type { Component, Donation, Donor, Payout } from '@connect-embed/contract';
import { badgeOf, descriptionOf, fullName, placeOf } from '../internal/columns.ts';
import { renderDate, renderMoney, renderText } from '../internal/format.ts';
import { badges } from '../internal/messages/tables.ts';
import type { Column } from '../internal/table.ts';
import type { Look } from './table-element.ts';
import { lateTexts as texts } from './texts.ts';

/** What a column is sorted by, searched for, and written to a file as. */
type Value<Row> = (row: Row, language: string) => string | number | null;

interface Values {
  donations: Record<string, Value<Donation>>;
  donors: Record<string, Value<Donor>>;
  payouts: Record<string, Value<Payout>>;
}

const VALUES: Values = {
  donations: {
    created_at: ({ created_at }) => created_at,
    donor: ({ donor_name }) => donor_name,
    fund: ({ fund_name }) => fund_name,
    status: (donation, language) => badgeOf(donation, language).text,
    amount: ({ amount_cents }) => amount_cents,
    net: ({ net_amount_cents }) => net_amount_cents,
    refunded: ({ refunded_amount_cents }) => refunded_amount_cents,
    email: ({ donor_email }) => donor_email,
    source: ({ source }) => source,
  },
  donors: {
    name: fullName,
    email: ({ email }) => email,
    place: placeOf,
    created_at: ({ created_at }) => created_at,
    phone: ({ phone }) => phone,
    source: ({ source }) => source,
  },
  payouts: {
    arrival_date: ({ arrival_date }) => arrival_date.slice(0, 10),
    description: descriptionOf,
    status: ({ status }) => badges[status].text,
    amount: ({ amount_cents }) => amount_cents,
    created: ({ created }) => created,
  },
};

/** The value of one cell. */
export const valueOf = <Row>(component: Component, column: string, row: Row, language: string) =>
  (VALUES[component] as unknown as Record<string, Value<Row>>)[column]?.(row, language) ?? null;

/** Columns that a page must ask for by name. */
export function moreColumns<Row>(
  component: Component,
  { language, timeZone }: Look,
): Column<Row>[] {
  const value = (id: string, row: Row) => valueOf(component, id, row, language);
  const text = (id: 'email' | 'source' | 'phone', mask?: string): Column<Row> => ({
    id,
    ...(mask && { mask }),
    label: texts[id],
    cell: (row) => renderText(value(id, row) as string | null),
  });
  const money = (id: 'net' | 'refunded'): Column<Row> => ({
    id,
    label: texts[id],
    number: true,
    slim: true,
    cell: (row) => {
      const cents = value(id, row) as number | null;
      if (cents === null) return renderText(null);
      return renderMoney(cents, (row as { currency: string }).currency, language);
    },
  });
  const created: Column<Row> = {
    id: 'created',
    label: texts.created,
    cell: (row) => renderDate((row as { created: string }).created, language, timeZone),
  };
  const all = {
    donations: () => [money('net'), money('refunded'), text('email', 'emails'), text('source')],
    donors: () => [text('phone', 'phones'), text('source')],
    payouts: () => [created],
  };
  return all[component]();
}
