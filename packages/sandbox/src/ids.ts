import { randomInt } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits; 24 of them carry 142 bits, too many to guess. */
export const randomText = (length: number) =>
  Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** An id as Stripe makes them: `pi_`, `ch_`, `evt_`, … and 24 characters. */
export const newId = (prefix: string) => `${prefix}_${randomText(24)}`;
