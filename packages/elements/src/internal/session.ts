import type { CreatePaymentIntent, FormSession, PaymentIntent } from '@connect-embed/contract';
import { ConnectError } from '@connect-embed/contract/error';
import { call } from './http.ts';
import { formRequest, takeStarted } from './page.ts';
import { Patience } from './patience.ts';

/** Pauses between two attempts; `why` decides what the donor sees meanwhile. */
export type Wait = (seconds: number, why: ConnectError['type']) => Promise<void>;

export interface GiftCall {
  idempotencyKey: string;
  signal: AbortSignal;
  wait: Wait;
}

/** The leave to give through one form of one server: `server/routes/embed-sessions.ts`. */
export class Session {
  readonly #server: string;
  readonly #form: string | null;
  #token: string | undefined;

  constructor(server: string, form: string | null) {
    this.#server = server;
    this.#form = form;
  }

  /** Opens the session, or takes over the one that the loader has asked for. */
  open(signal: AbortSignal): Promise<FormSession> {
    return this.#patiently(() => this.#open(signal), pause);
  }

  /**
   * Asks for the one payment intent of a gift.
   *
   * A session that has expired is renewed on the way. Every repetition carries the same key, so
   * that it is the same intent however often it is asked for: docs/decisions/0009-idempotency.md
   */
  createPaymentIntent(gift: CreatePaymentIntent, { signal, wait, idempotencyKey }: GiftCall) {
    let renewed = false;
    const ask = async (): Promise<PaymentIntent> => {
      if (!this.#token) await this.#open(signal);
      try {
        return await call<PaymentIntent>(`${this.#server}/payment-intents`, {
          body: JSON.stringify(gift),
          token: this.#token,
          idempotencyKey,
          signal,
        });
      } catch (error) {
        if (renewed || !(error instanceof ConnectError) || error.type !== 'unauthorized')
          throw error;
        renewed = true;
        this.#token = undefined;
        return ask();
      }
    };
    return this.#patiently(ask, wait);
  }

  async #open(signal: AbortSignal): Promise<FormSession> {
    const session = await call<FormSession>(`${this.#server}/embed-sessions`, {
      body: formRequest(this.#form),
      started: takeStarted(this.#server, this.#form),
      signal,
    });
    this.#token = session.session_token;
    return session;
  }

  async #patiently<Answer>(ask: () => Promise<Answer>, wait: Wait): Promise<Answer> {
    const patience = new Patience();
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        const seconds = patience.next(error);
        if (seconds === undefined) throw error;
        await wait(seconds, (error as ConnectError).type);
      }
    }
  }
}

/** A pause that nobody needs to see. */
export const pause = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
