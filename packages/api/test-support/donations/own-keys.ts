import { webhookSecretOf } from '../../src/payments/own-keys/stored-keys.ts';
import { createOrganization } from '../../src/users/organizations.ts';
import { setMembership } from '../../src/users/membership.ts';
import { type Api, stripeAt } from '../app/start-api.ts';
import { OWNER } from '../app/start-oauth.ts';

/** Creates an organization without an account at Stripe, whose owner is a demo person. */
export async function createOwnKeysOrganization({ db }: Api, name: string) {
  const id = await createOrganization(db, { name, slug: name, currency: 'usd' });
  const { id: personId } = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', OWNER)
    .executeTakeFirstOrThrow();
  await setMembership(db, { organizationId: id, personId, role: 'owner' });
  return { id, path: `/dashboard/${id}/payments`, personId };
}

/** Enters keys in the dashboard. */
export async function enterKeys(
  api: Api,
  path: string,
  secret_key: string,
  publishable_key = secret_key.replace(/^[sr]k/, 'pk'),
) {
  const owner = api.visitor();
  const page = await owner.openAs(OWNER, `${path}/keys`);
  return { owner, page: await owner.send(page, `${path}/keys`, { secret_key, publishable_key }) };
}

/** Returns a Stripe client that uses a key without a platform. */
export const ownStripe = ({ sandboxUrl }: Api, apiKey: string) => ({
  client: stripeAt(sandboxUrl),
  options: { apiKey },
});

/**
 * Sends a Stripe event to the endpoint of an organization, signed with the secret of that endpoint.
 *
 * @param secretOwner the organization for which the stored secret was encrypted
 */
export async function sendOwnEvent(
  { app, db, deps, sandboxUrl }: Api,
  id: string,
  event: object,
  secretOwner = id,
) {
  const row = await db
    .selectFrom('stripe_key')
    .select('encrypted_webhook_secret')
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow();
  const secret = (await deps.keyEncrypter.decrypt(
    row.encrypted_webhook_secret!,
    webhookSecretOf(secretOwner),
  ))!;
  const payload = JSON.stringify({ created: 1, livemode: false, ...event });
  const signature = stripeAt(sandboxUrl).webhooks.generateTestHeaderString({ payload, secret });
  return await app.request(`/processor-events/${id}`, {
    method: 'POST',
    headers: { 'stripe-signature': signature },
    body: payload,
  });
}

/** Returns the row of a monthly donation with test keys of an organization. */
export const planOf = (organization_id: string) => ({
  id: `plan_of_${organization_id}`,
  organization_id,
  amount_cents: 1000,
  amounts: '500-100000',
  currency: 'usd',
  frequency: 'monthly' as const,
  status: 'active' as const,
  livemode: false,
  processor_subscription_id: `sub_of_${organization_id}`,
  processor_customer_id: 'cus_own',
  source: 'api' as const,
  source_id: 'key_1',
});
