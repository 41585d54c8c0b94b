import type { CampaignProgress as Progress } from '@connect-embed/contract';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { call } from '../shared/http.ts';
import { Poller } from '../shared/poller.ts';

/** Delays between requests, in milliseconds. Tests replace them. */
export const pollDelays = {
  /** After a change, because another donation may follow. */
  first: 30_000,
  /** Maximum delay. The delay doubles after each request without a change or with an error. */
  longest: 300_000,
  /**
   * Delays after a donation on this page, until the sum changes: Stripe's webhook event takes a
   * moment.
   */
  afterDonation: [1000, 2000, 2000, 3000, 5000, 8000, 13_000, 21_000],
};

interface ProgressOptions {
  /** URL of the progress; throws if an attribute is missing. */
  url: () => string;
  /** Called after the progress was loaded. `previous` is undefined the first time. */
  onLoad: (progress: Progress, previous: Progress | undefined) => void;
  /** Called with the first error as long as there is no progress to show. */
  onError: (error: unknown) => void;
}

/** The progress of a campaign. It is requested again and again while the element can be seen. */
export class CampaignProgress implements ReactiveController {
  /** Undefined until it is loaded. */
  current: Progress | undefined;
  /** True if it could not be loaded. The requests continue. */
  hasFailed = false;
  readonly #host: ReactiveControllerHost & Element;
  readonly #options: ProgressOptions;
  readonly #poller = new Poller(() => this.#poll());
  readonly #visibilityObserver = new IntersectionObserver((entries) => {
    if (entries.at(-1)!.isIntersecting) this.#poller.resume();
    else this.#poller.pause();
  });
  #abort = new AbortController();
  #delayMs = pollDelays.first;
  /** Remaining delays after a donation on this page; undefined when they are used up. */
  #delaysAfterDonation: number[] | undefined;

  constructor(host: ReactiveControllerHost & Element, options: ProgressOptions) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected() {
    this.#poller.pause(); // Until the element is visible.
    this.#poller.start(0);
    this.#visibilityObserver.observe(this.#host);
    addEventListener('online', this.#pollNow);
    addEventListener('connect-success', this.#handleDonation);
  }

  hostDisconnected() {
    this.#poller.stop();
    this.#visibilityObserver.disconnect();
    removeEventListener('online', this.#pollNow);
    removeEventListener('connect-success', this.#handleDonation);
  }

  /** Discards the progress and requests that of the campaign which the element now names. */
  restart() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.current = undefined;
    this.hasFailed = false;
    this.#delayMs = pollDelays.first;
    if (this.#host.isConnected) this.#poller.start(0);
  }

  readonly #pollNow = () => this.#poller.start(0);

  readonly #handleDonation = () => {
    this.#delaysAfterDonation = [...pollDelays.afterDonation];
    this.#poller.start(this.#delaysAfterDonation.shift()!);
  };

  /** Requests the progress, and returns the delay until the next request. */
  async #poll(): Promise<number> {
    const isAfterDonation = this.#delaysAfterDonation !== undefined;
    if (await this.#load(isAfterDonation)) {
      this.#delayMs = pollDelays.first;
      this.#delaysAfterDonation = undefined;
    }
    const delayAfterDonation = this.#delaysAfterDonation?.shift();
    if (delayAfterDonation !== undefined) return delayAfterDonation;
    this.#delaysAfterDonation = undefined;
    const delayMs = this.#delayMs;
    this.#delayMs = Math.min(delayMs * 2, pollDelays.longest);
    return delayMs;
  }

  /** @returns whether the sum raised has changed */
  async #load(skipsCache: boolean): Promise<boolean> {
    const { signal } = this.#abort;
    const previous = this.current;
    try {
      const cache = skipsCache ? 'no-cache' : 'default';
      const progress = await call<Progress>(this.#options.url(), { cache, signal });
      if (signal.aborted) return false;
      this.current = progress;
      this.hasFailed = false;
      this.#options.onLoad(progress, previous);
      this.#host.requestUpdate();
      return previous !== undefined && previous.raised_cents !== progress.raised_cents;
    } catch (error) {
      if (signal.aborted || previous || this.hasFailed) return false;
      this.hasFailed = true;
      this.#options.onError(error);
      this.#host.requestUpdate();
      return false;
    }
  }
}
