import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random choices that depend on a seed alone. */
export class SeededRandom {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** A whole number from 0 up to, but not including, the limit. */
  below = (limit: number): number => uniformInt(this.#generator, 0, limit - 1);

  /** True with this probability, from 0 to 1. */
  chance = (probability: number): boolean => this.below(1_000_000) < probability * 1_000_000;

  /** Removes one item from a list that is not empty, and returns it. */
  take = <Item>(items: Item[]): Item => items.splice(this.below(items.length), 1)[0]!;
}
