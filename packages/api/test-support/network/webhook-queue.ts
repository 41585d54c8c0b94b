import { after } from 'node:test';
import type { EventType } from '@connect-embed/contract';
import { sql } from 'kysely';
import { createApiKey, revokeApiKey } from '../../src/auth/api-key.ts';
import { openDatabase } from '../../src/db/database.ts';
import { newId } from '../../src/lib/id.ts';
import { startLeaseWorker } from '../../src/lib/lease-worker.ts';
import { deliveryQueue } from '../../src/webhooks/delivery-worker.ts';
import { createSsrfSafeAgent } from '../../src/webhooks/ssrf-safe-agent.ts';
import { resourceEvent } from '../../src/webhooks/enqueue-event.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import { newSecret, secretOf } from '../../src/webhooks/secrets.ts';
import { createSender } from '../../src/webhooks/send.ts';
import { cloneDatabase } from '../database/database.ts';
import { eventually } from '../app/start-api.ts';
import { CERTIFICATE, startReceiver, type Responder, type Receiver } from './webhook-receiver.ts';

export const SECRET = 'a secret of thirty-two characters';
const ORGANIZATION_ID = 'org_queue';
const BASE_URL = 'https://api.example.org';

interface WorkerOptions {
  leaseMs?: number;
  /** Timeout of an attempt. The default of 20 s would be too long for tests. */
  timeoutMs?: number;
  now?: () => Date;
}

/** Opens the webhook delivery queue on a new database, without the API. */
export async function openQueue() {
  const disposables = new AsyncDisposableStack();
  after(() => disposables.disposeAsync());
  const { url, drop } = await cloneDatabase();
  disposables.defer(drop);
  const { db, close } = openDatabase(url);
  disposables.defer(close);
  const organization = { id: ORGANIZATION_ID, name: 'Queue', slug: 'queue', currency: 'usd' };
  await db
    .insertInto('organization')
    .values({ ...organization, processor_account_id: 'acct_queue' })
    .execute();
  const key = await createApiKey(db, {
    organizationId: ORGANIZATION_ID,
    name: 'queue',
    scopes: ['webhooks:write'],
  });

  const optionsFor = (allowHosts: readonly string[]) =>
    ({ secret: SECRET, baseUrl: BASE_URL, livemode: false, allowHosts }) as const;
  const { enqueue, secretEncrypter } = createWebhooks(optionsFor([]));

  const addEndpoint = async ({ url }: Pick<Receiver, 'url'>, events = ['donation.created']) => {
    const secret = newSecret();
    const id = newId('we');
    await db
      .insertInto('webhook_endpoint')
      .values({
        id,
        organization_id: ORGANIZATION_ID,
        credential_id: key.id,
        url,
        events,
        encrypted_secret: await secretEncrypter.encrypt(secret, secretOf(ORGANIZATION_ID)),
      })
      .execute();
    return { id, secret };
  };

  /** Queues events, each in a separate transaction. */
  const enqueueEvents = async (count = 1, type: EventType = 'donation.created') => {
    for (let index = 0; index < count; index += 1) {
      const newEvent = resourceEvent(type as 'donation.created', ORGANIZATION_ID, `don_${index}`);
      await db.transaction().execute((tx) => enqueue(tx, newEvent));
    }
  };

  const startWorker = (receivers: readonly Receiver[], options: WorkerOptions = {}) => {
    const { hosts } = createWebhooks(optionsFor(receivers.map(({ host }) => host)));
    const agent = createSsrfSafeAgent(hosts, { ca: CERTIFICATE });
    const { timeoutMs, ...rest } = options;
    const send = createSender({ hosts, agent, timeoutMs });
    const log = { info: () => {}, warn: () => {} };
    const close = async () => agent.destroy();
    const worker = startLeaseWorker(
      deliveryQueue({ db, secretEncrypter, send, log, close, ...rest }),
    );
    disposables.defer(() => worker.stop(0));
    return worker;
  };

  const deliveries = () =>
    db.selectFrom('webhook_delivery').selectAll().orderBy('created_at').orderBy('id').execute();
  const endpoint = (id: string) =>
    db.selectFrom('webhook_endpoint').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  return {
    db,
    enqueue,
    url,
    key,
    addEndpoint,
    enqueueEvents,
    startWorker,
    deliveries,
    endpoint,
    revokeKey: () => revokeApiKey(db, key.id),
    /** Waits for a delivery that matches. */
    deliveryWhen: (matches: (row: Awaited<ReturnType<typeof deliveries>>[number]) => boolean) =>
      eventually(async () => (await deliveries()).find(matches)),
    /** Makes all pending deliveries due now, to simulate that time has passed. */
    makeDue: () =>
      sql`update webhook_delivery set next_attempt_at = now() where status = 'pending'`.execute(db),
    receive: (receiver: Receiver, count: number) =>
      eventually(async () => (receiver.received.length >= count ? receiver.received : undefined)),
  };
}

/** Opens a queue with one endpoint and its receiver. */
export async function openQueueWithEndpoint(responder?: Responder) {
  const queue = await openQueue();
  const receiver = await startReceiver(responder);
  after(receiver.stop);
  return { ...queue, receiver, endpointRef: await queue.addEndpoint(receiver) };
}
