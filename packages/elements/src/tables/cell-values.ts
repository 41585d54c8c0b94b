import type { Donor, Payout } from '@connect-embed/contract';

/** Joins the fields of a table cell that shows several fields; null if all are empty. */
const joinNonEmpty = (parts: (string | null)[], separator: string) =>
  parts.filter(Boolean).join(separator) || null;

export const fullName = ({ first_name, last_name }: Donor) =>
  joinNonEmpty([first_name, last_name], ' ');

export const formatAddress = ({ city, state, country }: Donor) =>
  joinNonEmpty([city, state, country], ', ');

export const descriptionOf = ({ description, statement_descriptor }: Payout) =>
  description ?? statement_descriptor;
