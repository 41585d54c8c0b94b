import type { Addresses } from '../../support/system.ts';
import type { HostDonationPage } from './host-donor.ts';

/** A page as its owner wrote it. */
export interface HostPage {
  head?: string;
  body: string;
  /** Its `Content-Security-Policy`. */
  policy?: string;
}

/** What a page may need to know to be written. */
export interface HostContext extends Addresses {
  /** The script tag as our README tells it. */
  script: string;
  /** Of this very answer, for policies that want one. */
  nonce: string;
}

/** One kind of page on which the same gift must be possible. */
export interface HostCase {
  name: string;
  page: (context: HostContext) => HostPage;
  /** Other pages of the same site, by their path below this one. */
  parts?: (place: HostContext) => Record<string, HostPage>;
  /** What happens between loading the page and looking at the form. */
  before?: (donor: HostDonationPage) => Promise<void>;
  /** What happens when everything is typed, before the press of Give. */
  afterTyping?: (donor: HostDonationPage) => Promise<void>;
  /** What happens while the gift is under way. */
  afterPress?: (donor: HostDonationPage) => Promise<void>;
  /** What the console may say of what the page did. */
  told?: RegExp;
  /** What else must be true once the donor is thanked. */
  after?: (donor: HostDonationPage) => Promise<void>;
}

export const FORM = '<connect-donate></connect-donate>';

/** A page's address from what it is called. */
export const slugOf = ({ name }: HostCase) => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
