import type { FormSession } from '@connect-embed/contract';
import type { EmbedSession, RecoverSession } from './embed-session.ts';
import { waitSeconds, withRetry, type Failure } from './retry-policy.ts';

/**
 * Opens a session whose first request has failed, with retries as long as they can help.
 *
 * @throws {Failure} like `renewSession`
 */
export const recoverSession: RecoverSession = (session, firstRequest, signal) => {
  let request: Promise<Response> | undefined = firstRequest;
  return withRetry(() => {
    const attempt = renewSession(session, signal, request);
    request = undefined;
    return attempt;
  }, waitSeconds);
};

/**
 * Opens a new session, in one attempt.
 *
 * @throws {Failure} with the server's error type, or `unavailable` without a valid response
 */
export async function renewSession(
  session: EmbedSession,
  signal: AbortSignal,
  request = session.request(signal),
): Promise<FormSession> {
  const { server } = session;
  const response = await request.catch(async (cause: unknown) => {
    throw createFailure({ type: 'unavailable' }, await explainFailure(server), { cause });
  });
  signal.throwIfAborted();
  if (response.ok) return session.accept(response);
  const body = (await response.json().catch(() => ({}))) as { error?: Failure };
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
