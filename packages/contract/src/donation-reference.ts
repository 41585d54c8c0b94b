import { z } from 'zod';

/**
 * Characters of a donation reference. It has no vowels, so that no reference spells a word, and no
 * two characters that look alike: docs/decisions/0086-donation-references.md
 */
export const REFERENCE_ALPHABET = '3456789CDFGHJKMNPQRTVWXYZ';

const REFERENCE_GROUP = `[${REFERENCE_ALPHABET}]{4}`;

/**
 * A short code by which people identify a donation, such as `K7QM-4XTZ`; unique in its
 * organization.
 */
export const Reference = z.string().regex(new RegExp(`^${REFERENCE_GROUP}-${REFERENCE_GROUP}$`));

/** Characters outside the alphabet that people mistake for one of the alphabet. */
const LOOK_ALIKE_CHARACTERS: Readonly<Record<string, string>> = {
  0: 'Q',
  2: 'Z',
  B: '8',
  O: 'Q',
  S: '5',
  U: 'V',
};

/**
 * Normalizes a reference, or its beginning, that a person typed. Case, spaces and hyphens do not
 * matter, and characters that look alike are replaced.
 *
 * @returns the characters without the hyphen; undefined if no reference can begin with the input
 */
export function normalizeReference(input: string): string | undefined {
  const characters = input
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .replace(/[02BOSU]/g, (character) => LOOK_ALIKE_CHARACTERS[character]!);
  return new RegExp(`^[${REFERENCE_ALPHABET}]{1,8}$`).test(characters) ? characters : undefined;
}
