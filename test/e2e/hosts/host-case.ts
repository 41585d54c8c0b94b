import type { Addresses } from '../../support/system.ts';
import type { HostDonationPage } from './host-donor.ts';

/** A page that embeds the form. */
export interface HostPage {
  head?: string;
  body: string;
  /** Its `Content-Security-Policy`. */
  policy?: string;
}

/** Values that a page may need. */
export interface HostContext extends Addresses {
  /** The script tag as in README.md. */
  script: string;
  /** A nonce of this response, for its content security policy. */
  nonce: string;
}

/** One kind of page on which the form must work. */
export interface HostCase {
  name: string;
  page: (context: HostContext) => HostPage;
  /** Further pages of the site, by their path below this one. */
  parts?: (place: HostContext) => Record<string, HostPage>;
  /** Runs after the page is loaded, before the form is used. */
  before?: (donor: HostDonationPage) => Promise<void>;
  /** Runs after all fields are filled in, and before the submit where the donation is completed. */
  afterTyping?: (donor: HostDonationPage) => Promise<void>;
  /** Runs while the donation is processed, in `COMPLETED_DONATIONS` only. */
  afterSubmit?: (donor: HostDonationPage) => Promise<void>;
  /** Console errors that the page is expected to cause. */
  allowedErrors?: RegExp;
  /** Further assertions after the thank-you view, in `COMPLETED_DONATIONS` only. */
  after?: (donor: HostDonationPage) => Promise<void>;
}

export const FORM = '<connect-donate></connect-donate>';

/** The path of a page, made from its name. */
export const slugOf = ({ name }: HostCase) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
