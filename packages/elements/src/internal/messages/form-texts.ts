import type { Plural } from '../fill.ts';
import type { donateTexts } from './donate.ts';
import type { giveTexts } from './give.ts';

/** What a form is drawn with. */
export type DonateTexts = Record<keyof typeof donateTexts, string>;

/** What follows a press of Give. */
export type GiveTexts = {
  [Key in keyof typeof giveTexts]: (typeof giveTexts)[Key] extends string ? string : Plural;
};

/** All that a form says, in one language: a text that is missing is an error of type. */
export type FormTexts = DonateTexts & GiveTexts;
