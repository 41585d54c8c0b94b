import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Email } from './transport.ts';

/** What a donor is told of; each is composed in `compose-email.ts`. */
export type DonorEmailKind =
  | 'receipt'
  | 'refund'
  | 'plan_amount'
  | 'plan_card'
  | 'plan_paused'
  | 'plan_resumed'
  | 'plan_canceled'
  | 'plan_failed'
  | 'plan_link';

/** What a mail is about; those to owners are composed in `owner-emails.ts`. */
export type EmailKind = DonorEmailKind | 'card_testing';

/** What a mail needs beside its donation or plan, because that goes on changing. */
export interface EmailDetails {
  /** Of a refund, this one. */
  refunded_cents?: number;
  /** Of a plan whose amount changed. */
  before_cents?: number;
  after_cents?: number;
  /** Of a mail to somebody who helps run the organization: who. */
  person_id?: string;
  /** Of an alarm: cards that were declined, and tried, and where to read more. */
  failed?: number;
  tried?: number;
  url?: string;
}

interface MailTable {
  id: string;
  organization_id: string;
  kind: EmailKind;
  /** Unique: what has been told is not told again. */
  once_key: string;
  donation_id: string | null;
  plan_id: string | null;
  details: JSONColumnType<EmailDetails, string | undefined>;
  status: Generated<'pending' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  next_attempt_at: Generated<Date | null>;
  /** A worker has it until then; afterwards that worker is taken for dead. */
  leased_until: Date | null;
  /** What the mail server said, without addresses. */
  last_error: string | null;
  sent_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** Mails as they were sent, on a development machine only: `development-mailbox.ts`. */
interface DevelopmentMailTable {
  mail_id: string;
  email: JSONColumnType<Email>;
  sent_at: Generated<Date>;
}

/** The tables of this folder, as part of the schema. */
export interface MailTables {
  mail: MailTable;
  development_mail: DevelopmentMailTable;
}
