import type { PublicForm } from '@connect-embed/contract';
import { embedFormUrl } from '../shared/page-state.ts';
import { withTimeout, type RecoverForm } from './load-form.ts';
import { waitSeconds, withRetry, type Failure } from './retry-policy.ts';

/**
 * Loads a form whose first request has failed, with retries as long as they can help.
 *
 * @throws {Failure} like `readResponse`
 */
export const recoverForm: RecoverForm = (address, firstRequest, signal) => {
  let request: Promise<Response> | undefined = firstRequest;
  return withRetry(() => {
    const attempt = request ?? fetch(embedFormUrl(address), { signal: withTimeout(signal) });
    request = undefined;
    return readResponse<PublicForm>(address.server, attempt, signal);
  }, waitSeconds);
};

/**
 * Reads the JSON response of the server.
 *
 * @throws {Failure} with the server's error type, or `unavailable` without a valid response
 */
export async function readResponse<Body>(
  server: string,
  request: Promise<Response>,
  signal: AbortSignal,
): Promise<Body> {
  const response = await request.catch(async (cause: unknown) => {
    signal.throwIfAborted();
    throw createFailure({ type: 'unavailable' }, await explainFailure(server), { cause });
  });
  signal.throwIfAborted();
  if (response.ok) return (await response.json()) as Body;
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
