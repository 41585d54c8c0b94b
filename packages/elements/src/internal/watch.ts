/** How long it waits before it looks again, in milliseconds; replaced in tests. */
export const pauses = {
  /** After news: another gift may follow. */
  first: 30_000,
  /** It looks half as often after each time that there was none, or no answer, down to this. */
  longest: 300_000,
  /** After a donation on this page, until it shows: the processor's report takes a moment. */
  afterGift: [1000, 2000, 3000, 5000, 8000, 13_000, 21_000],
};

/**
 * Looks again and again for news, for as long as somebody can see where they would stand: the tab
 * is in front, and the element on the screen.
 */
export class Watch {
  readonly #element: Element;
  readonly #look: (hurried: boolean) => Promise<boolean>;
  readonly #sight = new IntersectionObserver((entries) => {
    this.#inSight = entries.at(-1)!.isIntersecting;
    this.#plan();
  });
  #inSight = false;
  #looking = false;
  #pause = pauses.first;
  /** The pauses that are left after a donation on this page; empty at its last look. */
  #hurry: number[] | undefined;
  #due = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param look answers whether there was news; told when a gift was just made on this page */
  constructor(element: Element, look: (hurried: boolean) => Promise<boolean>) {
    this.#element = element;
    this.#look = look;
  }

  start() {
    this.#due = 0;
    this.#sight.observe(this.#element);
    document.addEventListener('visibilitychange', this.#plan);
    addEventListener('online', this.#now);
    addEventListener('connect-success', this.#gift);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#sight.disconnect();
    this.#inSight = false;
    document.removeEventListener('visibilitychange', this.#plan);
    removeEventListener('online', this.#now);
    removeEventListener('connect-success', this.#gift);
  }

  readonly #plan = () => {
    clearTimeout(this.#timer);
    if (!this.#inSight || document.hidden || this.#looking) return;
    this.#timer = setTimeout(this.#run, this.#due - Date.now());
  };

  readonly #now = () => {
    this.#due = 0;
    this.#plan();
  };

  readonly #gift = () => {
    this.#hurry = [...pauses.afterGift];
    this.#due = Date.now() + this.#hurry.shift()!;
    this.#plan();
  };

  readonly #run = async () => {
    this.#looking = true;
    const hurried = this.#hurry !== undefined;
    const news = await this.#look(hurried).catch(() => false);
    this.#looking = false;
    if (news) {
      this.#pause = pauses.first;
      this.#hurry = undefined;
    }
    const next = this.#hurry?.shift();
    if (!next) this.#hurry = undefined;
    this.#due = Date.now() + (next ?? this.#pause);
    if (!hurried) this.#pause = Math.min(this.#pause * 2, pauses.longest);
    this.#plan();
  };
}
