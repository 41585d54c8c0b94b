import type { FormSession } from '@connect-embed/contract';
import type { ConnectError } from '@connect-embed/contract/error';
import { call } from './http.ts';
import { formRequest, takeStarted } from './page.ts';
import { Patience } from './patience.ts';

/** Pauses between two attempts; `why` decides what the donor sees meanwhile. */
export type Wait = (seconds: number, why: ConnectError['type']) => Promise<void>;

/** The leave to give through one form of one server: `server/routes/embed-sessions.ts`. */
export class Session {
  readonly server: string;
  readonly #form: string | null;
  /** Proves the session to the server; forgotten when the server no longer takes it. */
  token: string | undefined;

  constructor(server: string, form: string | null) {
    this.server = server;
    this.#form = form;
  }

  /** Opens the session, or takes over the one that the loader has asked for. */
  open(signal: AbortSignal): Promise<FormSession> {
    return patiently(() => this.renew(signal), pause);
  }

  /** Opens it anew, in one try. */
  async renew(signal: AbortSignal): Promise<FormSession> {
    const session = await call<FormSession>(`${this.server}/embed-sessions`, {
      body: formRequest(this.#form),
      started: takeStarted(this.server, this.#form),
      signal,
    });
    this.token = session.session_token;
    return session;
  }
}

/** Asks again for as long as asking again can help. */
export async function patiently<Answer>(ask: () => Promise<Answer>, wait: Wait): Promise<Answer> {
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

/** A pause that nobody needs to see. */
export const pause = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
