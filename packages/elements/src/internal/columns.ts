import type { Donation, Donor, Payout } from '@connect-embed/contract';
import { formatMoney } from '@connect-embed/contract/format-money';
import { donationBadge } from './messages/tables.ts';

/** What cells say that take more than one field. */
const joined = (parts: (string | null)[], by: string) => parts.filter(Boolean).join(by) || null;

export const fullName = ({ first_name, last_name }: Donor) => joined([first_name, last_name], ' ');

export const placeOf = ({ city, state, country }: Donor) => joined([city, state, country], ', ');

export const descriptionOf = ({ description, statement_descriptor }: Payout) =>
  description ?? statement_descriptor;

export const badgeOf = (donation: Donation, language: string) =>
  donationBadge(donation, () =>
    formatMoney(donation.refunded_amount_cents, donation.currency, language, { trim: true }),
  );
