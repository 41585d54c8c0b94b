import type { ErrorType, FormSession } from '@connect-embed/contract';
import { embedSessionUrl, takePrefetchedSession } from './page-state.ts';
import { RetryPolicy } from './retry-policy.ts';

/** One attempt may take this long: a phone on a poor line, not a server that hangs. */
const TIMEOUT_MS = 15_000;

/** Pauses between two attempts; `why` decides what the donor sees meanwhile. */
export type WaitForRetry = (seconds: number, reason: ErrorType) => Promise<void>;

/** What an error of ours says, wherever it was made. */
export interface Failure extends Error {
  type: ErrorType;
  retryAfterSeconds: number | undefined;
}

/** The leave to give through one form of one server: `server/routes/embed-sessions.ts`. */
export class EmbedSession {
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
    return withRetry(() => this.renew(signal), waitSeconds);
  }

  /** Opens it anew, in one try. @throws {Failure} */
  async renew(signal: AbortSignal): Promise<FormSession> {
    const { server } = this;
    const answer = await (
      takePrefetchedSession(server, this.#form) ??
      fetch(embedSessionUrl(server, this.#form), {
        method: 'POST',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
    ).catch(async (cause: unknown) => {
      throw createFailure('unavailable', await explainFailure(server), { cause });
    });
    signal.throwIfAborted();
    const body = (await answer.json().catch(() => ({}))) as FormSession & { error?: Failure };
    if (!answer.ok) {
      const { type = 'unavailable', message } = body.error ?? {
        message: await explainFailure(server, answer.status),
      };
      const seconds = Number(answer.headers.get('retry-after')) || undefined;
      throw Object.assign(createFailure(type, message), { retryAfterSeconds: seconds });
    }
    this.token = body.session_token;
    return body;
  }
}

const createFailure = (type: ErrorType, message: string, options?: ErrorOptions) =>
  Object.assign(new Error(message, options), { type });

/**
 * For the owner of the page. A server that answers with another status than 404 is the right one.
 *
 * @param status undefined without a response; offline, the explanation cannot be loaded either
 */
async function explainFailure(server: string, status?: number): Promise<string> {
  const plain = `${server} ${status ? `answered ${status}` : 'cannot be reached from here'}.`;
  if (status && status !== 404) return plain;
  const why = await import('./explain-unreachable.ts').catch(() => undefined);
  return why ? await why.explainUnreachable(server) : plain;
}

/** Asks again for as long as asking again can help. */
export async function withRetry<Answer>(
  attempt: () => Promise<Answer>,
  wait: WaitForRetry,
): Promise<Answer> {
  const policy = new RetryPolicy();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const seconds = policy.nextDelay(error as Failure);
      if (seconds === undefined) throw error;
      await wait(seconds, (error as Failure).type);
    }
  }
}

/** A pause that nobody needs to see. */
export const waitSeconds = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
