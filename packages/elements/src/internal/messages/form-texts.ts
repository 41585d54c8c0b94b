import type { Plural } from '@connect-embed/contract/interpolate';
import type { donateTexts } from './donate.ts';
import type { donationFlowTexts } from './donation-flow.ts';

/** Texts of the form itself. */
export type DonateMessages = Record<keyof typeof donateTexts, string>;

/** Texts that are loaded with `internal/donation-flow.ts`. */
export type DonationFlowMessages = {
  [Key in keyof typeof donationFlowTexts]: (typeof donationFlowTexts)[Key] extends string
    ? string
    : Plural;
};

/** All texts of a form in one language. A missing text is a type error. */
export type FormMessages = DonateMessages & DonationFlowMessages;
