import type { SeededRandom } from './seeded-random.ts';

/** The probability of each fault, from 0 to 1. */
interface FaultRates {
  /** A request that does not arrive. */
  lostRequest: number;
  /** A request that is handled, and whose response does not arrive. */
  lostResponse: number;
  /** A crash of a process, before each operation. */
  crash: number;
  /** A change of the clock of the API's processes by minutes, before each operation. */
  clockChange: number;
  /** Everything waits for seconds, before each operation. */
  delay: number;
  /** A donor who closes the browser, before each request. */
  closedBrowser: number;
  /** A card that is declined before another one is accepted. */
  declinedCard: number;
  /** A donor who sends the form twice. */
  doubleSubmit: number;
  /** An event of the processor that is delivered again although it was acknowledged. */
  duplicateEvent: number;
  /** An event of the processor that is never delivered. */
  lostEvent: number;
}

const HIGHEST_RATES: FaultRates = {
  lostRequest: 0.1,
  lostResponse: 0.1,
  crash: 0.01,
  clockChange: 0.002,
  delay: 0.004,
  closedBrowser: 0.1,
  declinedCard: 0.5,
  doubleSubmit: 0.3,
  duplicateEvent: 0.5,
  lostEvent: 0.3,
};

/** Draws the faults of one history. Each kind is absent from some histories, and frequent in others. */
export class Faults {
  readonly #random: SeededRandom;
  #rates: FaultRates;

  constructor(random: SeededRandom) {
    this.#random = random;
    const draw = (highest: number) => (highest * random.below(5)) / 4;
    this.#rates = Object.fromEntries(
      Object.entries(HIGHEST_RATES).map(([kind, highest]) => [kind, draw(highest as number)]),
    ) as unknown as FaultRates;
  }

  happens = (kind: keyof FaultRates): boolean => this.#random.chance(this.#rates[kind]);

  /** Makes a call over a network that may lose the request or the response. */
  async call<Result>(call: () => Promise<Result>, lost: () => Error): Promise<Result> {
    if (this.happens('lostRequest')) throw lost();
    const result = await call();
    if (this.happens('lostResponse')) throw lost();
    return result;
  }

  /** No further fault happens, so that everything comes to its end. */
  stop(): void {
    this.#rates = Object.fromEntries(
      Object.keys(this.#rates).map((kind) => [kind, 0]),
    ) as unknown as FaultRates;
  }
}
