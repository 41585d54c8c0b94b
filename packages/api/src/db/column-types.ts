import type { DonationTerms } from '@connect-embed/contract';

// Types of columns that PostgreSQL does not know, above all of JSON: `test-support/database/table-types.ts`.

/** Terms and allowed origins of a form, and the payment methods that it offers. */
export type StoredTerms = DonationTerms & { origins: string[]; offered_method_types: string[] };

/** Name and email address of a donor before and after a correction, or what an erasure left. */
export interface DonorChangeDetails {
  name?: { before: string | null; after: string | null };
  email?: { before: string | null; after: string | null };
  /** The donor who was merged into this one, as that donor was before. */
  merged?: { id: string; name: string | null; email: string | null };
  /** The organization had no access to its Stripe account when the donor was erased. */
  kept_at_stripe?: true;
}

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
  | 'donation_processing'
  | 'donation_returned'
  | 'plan_amount'
  | 'plan_card'
  | 'plan_paused'
  | 'plan_resumed'
  | 'plan_canceled'
  | 'plan_failed'
  | 'plan_first_failed'
  | 'plan_method_lost'
  | 'plan_link';

/** Kinds of all emails. Emails to owners are composed in `owner-emails.ts`. */
export type EmailKind = DonorEmailKind | 'card_testing' | 'site_request';

/**
 * Data stored with the queued email, because the donation or plan may change before it is sent.
 */
export interface EmailDetails {
  /** Refunded amount in minor units. */
  refunded_cents?: number;
  /** The part of a returned payment that covers the fee, which the form adds again. */
  fee_cover_cents?: number;
  /** Why a payment of a recurring plan failed: Stripe's code. */
  failure_code?: string;
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
