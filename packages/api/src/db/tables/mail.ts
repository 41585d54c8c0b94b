import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** A rendered email that is ready to send. */
export interface Email {
  /** Id of the row in the table `mail`, if there is one. */
  id: string;
  from: { name: string; address: string };
  to: { name: string; address: string };
  replyTo: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** Language of the text, as a BCP 47 tag. */
  language: string;
  /** Equal for every attempt to send this email, so that mail clients can detect a duplicate. */
  messageId: string;
}

/** Kinds of emails to donors, composed in `compose-email.ts`. */
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

/** Kinds of all emails. Emails to owners are composed in `owner-emails.ts`. */
export type EmailKind = DonorEmailKind | 'card_testing' | 'site_request';

/**
 * Data stored with the queued email, because the donation or plan may change before it is sent.
 */
export interface EmailDetails {
  /** Refunded amount in minor units. */
  refunded_cents?: number;
  /** Amounts before and after a change of a recurring plan. */
  before_cents?: number;
  after_cents?: number;
  /** Recipient of an email to an owner or admin. */
  person_id?: string;
  /**
   * Numbers of declined and attempted cards in a card testing attack.
   */
  declined_cards?: number;
  attempted_cards?: number;
  /** URL of a page of the dashboard. */
  url?: string;
}

interface MailTable {
  id: string;
  organization_id: string;
  kind: EmailKind;
  /** Unique key that prevents the same email from being queued twice. */
  deduplication_key: string;
  donation_id: string | null;
  plan_id: string | null;
  details: JSONColumnType<EmailDetails, string | undefined>;
  status: Generated<'pending' | 'sent' | 'failed'>;
  attempts: Generated<number>;
  next_attempt_at: Generated<Date | null>;
  /** A worker has claimed the email until this time. Afterwards another worker may claim it. */
  leased_until: Date | null;
  /** Error codes of the mail server, without addresses. */
  last_error: string | null;
  sent_at: Date | null;
  created_at: ColumnType<Date, Date | undefined, never>;
}

/** Emails as sent, on a development machine only: `development-mailbox.ts`. */
interface DevelopmentMailTable {
  mail_id: string;
  email: JSONColumnType<Email>;
  sent_at: Generated<Date>;
}

/** Tables of emails, as part of the database schema. */
export interface MailTables {
  mail: MailTable;
  development_mail: DevelopmentMailTable;
}
