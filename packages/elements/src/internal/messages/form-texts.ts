import type { Plural } from '../interpolate.ts';
import type { donateTexts } from './donate.ts';
import type { donationFlowTexts } from './donation-flow.ts';

/** What a form is drawn with. */
export type DonateTexts = Record<keyof typeof donateTexts, string>;

/** What follows a press of Give. */
export type DonationFlowTexts = {
  [Key in keyof typeof donationFlowTexts]: (typeof donationFlowTexts)[Key] extends string
    ? string
    : Plural;
};

/** All that a form says, in one language: a text that is missing is an error of type. */
export type FormTexts = DonateTexts & DonationFlowTexts;
