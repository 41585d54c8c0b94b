/** How long it waits before it looks again, in milliseconds; replaced in tests. */
export const pollDelays = {
  /** After news: another gift may follow. */
  first: 30_000,
  /** It looks half as often after each time that there was none, or no answer, down to this. */
  longest: 300_000,
  /** After a donation on this page, until it shows: the processor's report takes a moment. */
  afterDonation: [1000, 2000, 3000, 5000, 8000, 13_000, 21_000],
};

/**
 * Looks again and again for news, for as long as somebody can see where they would stand: the tab
 * is in front, and the element on the screen.
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
  /** The pauses that are left after a donation on this page; empty at its last look. */
  #shortDelays: number[] | undefined;
  #dueAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param poll answers whether there was news; told when a gift was just made on this page */
  constructor(element: Element, poll: (hurried: boolean) => Promise<boolean>) {
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
    const hurried = this.#shortDelays !== undefined;
    const hasChanged = await this.#poll(hurried).catch(() => false);
    this.#isPolling = false;
    if (hasChanged) {
      this.#delay = pollDelays.first;
      this.#shortDelays = undefined;
    }
    const next = this.#shortDelays?.shift();
    if (!next) this.#shortDelays = undefined;
    this.#dueAt = Date.now() + (next ?? this.#delay);
    if (!hurried) this.#delay = Math.min(this.#delay * 2, pollDelays.longest);
    this.#schedule();
  };
}
