/** Delays between polls, in milliseconds. Tests replace them. */
export const pollDelays = {
  /** After a change, because another donation may follow. */
  first: 30_000,
  /** Maximum delay. The delay doubles after each poll without a change or with an error. */
  longest: 300_000,
  /**
   * Delays after a donation on this page, until the result changes: Stripe's webhook event takes a
   * moment.
   */
  afterDonation: [1000, 2000, 3000, 5000, 8000, 13_000, 21_000],
};

/**
 * Polls while the element can be seen: the tab is in the foreground, and the element is in the
 * viewport.
 */
export class VisiblePoller {
  readonly #element: Element;
  readonly #poll: (isAfterDonation: boolean) => Promise<boolean>;
  readonly #visibilityObserver = new IntersectionObserver((entries) => {
    this.#isVisible = entries.at(-1)!.isIntersecting;
    this.#schedule();
  });
  #isVisible = false;
  #isPolling = false;
  #delay = pollDelays.first;
  /** Remaining delays after a donation on this page; undefined when they are used up. */
  #shortDelays: number[] | undefined;
  #dueAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param poll resolves to true if there was a change; `isAfterDonation` is true shortly after a donation
   *   on this page
   */
  constructor(element: Element, poll: (isAfterDonation: boolean) => Promise<boolean>) {
    this.#element = element;
    this.#poll = poll;
  }

  start() {
    this.#dueAt = 0;
    this.#visibilityObserver.observe(this.#element);
    document.addEventListener('visibilitychange', this.#schedule);
    addEventListener('online', this.#pollNow);
    addEventListener('connect-success', this.#handleDonation);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#visibilityObserver.disconnect();
    this.#isVisible = false;
    document.removeEventListener('visibilitychange', this.#schedule);
    removeEventListener('online', this.#pollNow);
    removeEventListener('connect-success', this.#handleDonation);
  }

  readonly #schedule = () => {
    clearTimeout(this.#timer);
    if (!this.#isVisible || document.hidden || this.#isPolling) return;
    this.#timer = setTimeout(this.#pollOnce, this.#dueAt - Date.now());
  };

  readonly #pollNow = () => {
    this.#dueAt = 0;
    this.#schedule();
  };

  readonly #handleDonation = () => {
    this.#shortDelays = [...pollDelays.afterDonation];
    this.#dueAt = Date.now() + this.#shortDelays.shift()!;
    this.#schedule();
  };

  readonly #pollOnce = async () => {
    this.#isPolling = true;
    const isAfterDonation = this.#shortDelays !== undefined;
    const hasChanged = await this.#poll(isAfterDonation).catch(() => false);
    this.#isPolling = false;
    if (hasChanged) {
      this.#delay = pollDelays.first;
      this.#shortDelays = undefined;
    }
    const next = this.#shortDelays?.shift();
    if (!next) this.#shortDelays = undefined;
    this.#dueAt = Date.now() + (next ?? this.#delay);
    if (!isAfterDonation) this.#delay = Math.min(this.#delay * 2, pollDelays.longest);
    this.#schedule();
  };
}
