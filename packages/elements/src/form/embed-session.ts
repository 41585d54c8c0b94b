import type { ErrorType, FormSession } from '@connect-embed/contract';
import { embedSessionUrl, takePrefetchedSession } from '../shared/page-state.ts';
import { RetryPolicy, type Failure } from './retry-policy.ts';

/** Timeout of one request. Long enough for a phone with a slow connection. */
const TIMEOUT_MS = 15_000;

/**
 * Waits between two attempts. `reason` decides which message the donor sees meanwhile, with the
 * `position` of a donation that waits in line.
 */
export type WaitForRetry = (seconds: number, reason: ErrorType, position?: number) => Promise<void>;

/**
 * An embed session: the token with which the visitor may donate through one form of one server.
 * `server/routes/embed-sessions.ts`
 */
export class EmbedSession {
  readonly server: string;
  readonly #form: string | null;
  /** Bearer token of the session. Deleted when the server no longer accepts it. */
  token: string | undefined;

  constructor(server: string, form: string | null) {
    this.server = server;
    this.#form = form;
  }

  /**
   * Opens the session, with retries. Uses the response that the loader has requested in advance, if
   * there is one.
   */
  open(signal: AbortSignal): Promise<FormSession> {
    return withRetry(() => this.renew(signal), waitSeconds);
  }

  /**
   * Opens a new session, in one attempt.
   *
   * @throws {Failure} with the server's error type, or `unavailable` without a valid response
   */
  async renew(signal: AbortSignal): Promise<FormSession> {
    const { server } = this;
    const response = await (
      takePrefetchedSession(server, this.#form) ??
      fetch(embedSessionUrl(server, this.#form), {
        method: 'POST',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      })
    ).catch(async (cause: unknown) => {
      throw createFailure({ type: 'unavailable' }, await explainFailure(server), { cause });
    });
    signal.throwIfAborted();
    const body = (await response.json().catch(() => ({}))) as FormSession & { error?: Failure };
    if (!response.ok) {
      const {
        type = 'unavailable',
        code,
        message,
      }: Partial<Failure> & { message: string } = body.error ?? {
        message: await explainFailure(server, response.status),
      };
      const seconds = Number(response.headers.get('retry-after')) || undefined;
      throw createFailure({ type, code, retryAfterSeconds: seconds }, message);
    }
    this.token = body.session_token;
    return body;
  }
}

const createFailure = (
  fields: Pick<Failure, 'type'> & Partial<Failure>,
  message: string,
  options?: ErrorOptions,
) => Object.assign(new Error(message, options), fields);

/**
 * Explains a failed request to the owner of the page. Any status other than 404 means that the
 * server's URL is right.
 *
 * @param status undefined if there was no response; the explanation is a separate chunk, which may
 *   fail to load, too
 */
async function explainFailure(server: string, status?: number): Promise<string> {
  const plain = `${server}${status ? `: HTTP ${status}` : ' cannot be reached'}.`;
  if (status && status !== 404) return plain;
  return import('../shared/explain-unreachable.ts')
    .then(({ explainUnreachable }) => explainUnreachable(server))
    .catch(() => plain);
}

/** Repeats a request as long as a retry can help: `retry-policy.ts` */
export async function withRetry<Result>(
  attempt: () => Promise<Result>,
  wait: WaitForRetry,
): Promise<Result> {
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

/** Waits without showing a message. */
export const waitSeconds = (seconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));
