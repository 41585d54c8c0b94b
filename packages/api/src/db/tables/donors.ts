import type { ColumnType, JSONColumnType } from 'kysely';

/** A note of a member about a donor. */
interface DonorNoteTable {
  id: string;
  organization_id: string;
  donor_id: string;
  text: string;
  /** Id of the member. Null if that person has been deleted. */
  author_id: string | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  edited_at: Date | null;
}

/** Name and email address of a donor before and after a correction, or what an erasure left. */
export interface DonorChangeDetails {
  name?: { before: string | null; after: string | null };
  email?: { before: string | null; after: string | null };
  /** The organization had no access to its Stripe account when the donor was erased. */
  kept_at_stripe?: true;
}

/** What a member did with the record of a donor. */
interface DonorChangeTable {
  id: string;
  organization_id: string;
  donor_id: string;
  type: 'corrected' | 'receipt_sent' | 'exported' | 'erased';
  /** The donation whose receipt was sent again. */
  donation_id: string | null;
  details: JSONColumnType<DonorChangeDetails, string | undefined>;
  /** Id of the member. */
  person_id: string;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** Tables of what members write about donors, as part of the database schema. */
export interface DonorTables {
  donor_note: DonorNoteTable;
  donor_change: DonorChangeTable;
}
