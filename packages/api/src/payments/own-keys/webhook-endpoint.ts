import { ConnectError } from '@connect-embed/contract';
import type { WorkerDeps } from '../deps.ts';
import { isRefusal } from '../stripe/errors.ts';
import { HANDLERS } from '../stripe-events/handlers.ts';
import type { KeyState } from './key-state.ts';
import { secretKeyOf } from './stored-keys.ts';

type EndpointDeps = Pick<WorkerDeps, 'processor' | 'keyEncrypter' | 'baseUrl' | 'log'>;

/** Sent to platforms only. */
const PLATFORM_EVENT = 'account.application.deauthorized';

/** The types of Stripe events that the webhook endpoint of an own account must receive. */
export const EVENT_TYPES: readonly string[] = [...HANDLERS.keys()].filter(
  (type) => type !== PLATFORM_EVENT,
);

/** The URL to which Stripe sends the events of an organization's own account. */
export const eventsUrl = (baseUrl: string, organizationId: string) =>
  `${baseUrl}/processor-events/${organizationId}`;

/**
 * Creates the webhook endpoint of an organization's own account.
 *
 * @returns undefined if Stripe refuses, because the key has no permission, or Stripe cannot reach the
 *   URL. The owner then creates the endpoint.
 * @throws {ConnectError} `unavailable`
 */
export async function tryCreateEndpoint(
  { processor, baseUrl, log }: EndpointDeps,
  secretKey: string,
  organizationId: string,
) {
  const url = eventsUrl(baseUrl, organizationId);
  try {
    return await processor.createWebhookEndpoint(secretKey, { url, types: [...EVENT_TYPES] });
  } catch (err) {
    if (!(err instanceof ConnectError && isRefusal(err.cause))) throw err;
    log.warn({ err, organization_id: organizationId }, 'Stripe refused to create an endpoint');
    return undefined;
  }
}

/**
 * Deletes the webhook endpoint at Stripe that belongs to the stored keys.
 *
 * @param newKey a newer key of the same account and mode, because Stripe may not accept the old one any more
 */
export async function deleteStoredEndpoint(
  deps: EndpointDeps,
  { stored }: KeyState,
  newKey?: string,
): Promise<void> {
  if (!stored?.webhook_endpoint_id) return;
  const { encrypted_secret_key, organization_id } = stored;
  const storedKey = await deps.keyEncrypter.decrypt(
    encrypted_secret_key,
    secretKeyOf(organization_id),
  );
  for (const secretKey of [storedKey, newKey]) {
    if (secretKey && (await tryDeleteEndpoint(deps, secretKey, stored.webhook_endpoint_id))) return;
  }
}

/**
 * Deletes a webhook endpoint. A failure is only logged: the events of one that stays are rejected.
 *
 * @returns whether it was deleted
 */
export async function tryDeleteEndpoint(
  { processor, log }: EndpointDeps,
  secretKey: string,
  endpoint: string,
): Promise<boolean> {
  try {
    await processor.deleteWebhookEndpoint(secretKey, endpoint);
    return true;
  } catch (err) {
    log.warn({ err, endpoint }, 'a webhook endpoint could not be deleted at Stripe');
    return false;
  }
}
