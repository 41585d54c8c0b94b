import type { Donation, Donor, Payout } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { donationBadge } from './messages/tables.ts';

/** Joins the fields of a table cell that shows several fields; null if all are empty. */
const joinNonEmpty = (parts: (string | null)[], separator: string) =>
  parts.filter(Boolean).join(separator) || null;

export const fullName = ({ first_name, last_name }: Donor) =>
  joinNonEmpty([first_name, last_name], ' ');

export const formatAddress = ({ city, state, country }: Donor) =>
  joinNonEmpty([city, state, country], ', ');

export const descriptionOf = ({ description, statement_descriptor }: Payout) =>
  description ?? statement_descriptor;

export const badgeOf = (donation: Donation, language: string) =>
  donationBadge(donation, () =>
    formatMoney(donation.refunded_amount_cents, donation.currency, language, { trim: true }),
  );
