import assert from 'node:assert/strict';
import { after } from 'node:test';
import { listOf, WebhookDelivery, WebhookEndpointWithSecret } from '@connect-embed/contract';
import { z } from 'zod';
import { resourceEvent } from '../../src/webhooks/enqueue-event.ts';
import { startDeliveryWorker } from '../../src/webhooks/delivery-worker.ts';
import { startApi, type StartOptions } from './start-api.ts';
import { startReceiver } from '../network/webhook-receiver.ts';

const endpointWithSecret = z.strictObject(WebhookEndpointWithSecret.shape);
const deliveryList = z.strictObject(listOf(z.strictObject(WebhookDelivery.shape)).shape);

export const urlOf = (name: string) => `https://${name}.receiver.example/hook`;
export const ENDPOINT_INPUT = { url: urlOf('hooks'), events: ['donation.created'] };

/**
 * Starts the app with its delivery worker and a webhook receiver. Host names resolve to a fixed
 * public address, or to a private one if they start with `inside`.
 */
export async function startWebhooks(options: Pick<StartOptions, 'sandbox'> = {}) {
  const receiver = await startReceiver();
  const api = await startApi({
    ...options,
    hosts: {
      allowHosts: [receiver.host],
      lookup: async (name) => (name.startsWith('inside') ? ['10.1.2.3'] : ['93.184.216.34']),
    },
  });
  const { db, webhooks, createKey, call, get, post } = api;
  const log = { info: () => {}, warn: () => {} };
  const deliverer = startDeliveryWorker({ db, webhooks, log, allowHosts: [] });
  after(() => deliverer.stop(0).then(receiver.stop));

  /** Creates a new API key, so that tests do not see each other's endpoints. */
  const newCaller = async () => {
    const { token, id } = await createKey(['webhooks:write', 'donations:read']);
    const create = async (input: object = ENDPOINT_INPUT) => {
      const response = await post('/webhooks', token, input);
      assert.equal(response.status, 201, await response.clone().text());
      return endpointWithSecret.parse(await response.json());
    };
    return { token, keyId: id, create };
  };

  const patch = (path: string, token: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    return call('PATCH', path, token, { headers, body: JSON.stringify(body) });
  };

  /** Queues a `donation.created` event. */
  const enqueueDonationCreated = (id: string, livemode?: boolean) =>
    db
      .transaction()
      .execute((tx) =>
        webhooks.enqueue(tx, resourceEvent('donation.created', 'org_harbor', id, livemode)),
      );

  const deliveriesOf = async (token: string, id: string, query = '') => {
    const response = await get(`/webhooks/${id}/deliveries${query}`, token);
    assert.equal(response.status, 200, await response.clone().text());
    return deliveryList.parse(await response.json());
  };

  return { ...api, receiver, newCaller, patch, enqueueDonationCreated, deliveriesOf };
}
