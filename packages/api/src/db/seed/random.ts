/** Pseudorandom values that are the same in every run. */
export interface Random {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns a whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** Returns true with the probability `share` (0 to 1). */
  probability(share: number): boolean;
  id(prefix: string): string;
}

const LETTERS = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
const ID_LETTERS = 20;

/** Creates a generator with the algorithm mulberry32, which is random enough for invented data. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick: (items) => items[integer(0, items.length - 1)]!,
    probability: (share) => next() < share,
    id: (prefix) =>
      `${prefix}_${Array.from({ length: ID_LETTERS }, () => LETTERS[integer(0, LETTERS.length - 1)]).join('')}`,
  };
}
