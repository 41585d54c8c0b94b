import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns random letters and digits; 24 of them have 142 bits of entropy, too many to guess. */
export const randomText = (length: number) =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Creates an id in Stripe's format: `pi_`, `ch_`, `evt_`, … and 24 characters. */
export const newId = (prefix: string) => `${prefix}_${randomText(24)}`;
