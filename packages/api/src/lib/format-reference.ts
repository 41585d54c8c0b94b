import { REFERENCE_ALPHABET } from '@connect-embed/contract';

const BASE = BigInt(REFERENCE_ALPHABET.length);
const LENGTH = 8;
const REFERENCES = BASE ** BigInt(LENGTH);
/**
 * Factor by which the number of a seed donation is multiplied. The factor is coprime to `REFERENCES`,
 * so that different numbers get different references.
 */
const STRIDE = 94_305_310_271n;

/**
 * Formats a number as a donation reference such as `K7QM-4XTZ`, by which people name a donation.
 * The SQL function `reference_of` must return the same value.
 */
export function formatReference(number: bigint): string {
  let characters = '';
  for (let rest = number % REFERENCES; characters.length < LENGTH; rest /= BASE) {
    characters = REFERENCE_ALPHABET[Number(rest % BASE)]! + characters;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}

/** Returns the reference of a seed donation: unique for each number and the same in every run. */
export const seedReference = (number: number) => formatReference(BigInt(number) * STRIDE);
