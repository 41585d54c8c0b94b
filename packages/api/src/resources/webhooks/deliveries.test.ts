import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { WebhookDelivery, WebhookEndpointWithSecret, WebhookEvent } from '@connect-embed/contract';
import { Webhook } from 'standardwebhooks';
import { eventually, readError } from '../../../test-support/app/start-api.ts';
import { startWebhooks, ENDPOINT_INPUT } from '../../../test-support/app/start-webhooks.ts';
import { respondWith } from '../../../test-support/network/webhook-receiver.ts';

const { call, get, post, patch, receiver, newCaller, enqueueDonationCreated, deliveriesOf } =
  await startWebhooks();

describe('a rotated secret', () => {
  test('signs together with the new one', async () => {
    const { token, create } = await newCaller();
    const { secret: old, ...endpoint } = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    const response = await call('POST', `/webhooks/${endpoint.id}/rotate-secret`, token);
    assert.equal(response.status, 200);
    const { secret, ...rest } = WebhookEndpointWithSecret.parse(await response.json());
    assert.deepEqual(rest, endpoint);
    assert.notEqual(secret, old);
    await enqueueDonationCreated('don_rotated');
    const { body, headers } = await eventually(async () =>
      receiver.received.find((received) => received.body.includes('don_rotated')),
    );
    for (const each of [old, secret]) {
      assert.ok(WebhookEvent.parse(new Webhook(each).verify(body, headers)));
    }
    await call('DELETE', `/webhooks/${endpoint.id}`, token);
  });
});

describe('deliveries', () => {
  test('are listed newest first, with cursors of their own endpoint only', async () => {
    const { token, create } = await newCaller();
    const { id } = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    const other = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    for (let index = 0; index < 5; index += 1) await enqueueDonationCreated(`don_page_${index}`);
    const all = await eventually(async () => {
      const list = await deliveriesOf(token, id);
      return list.data.every(({ status }) => status === 'delivered') ? list : undefined;
    });
    assert.equal(all.data.length, 5);
    assert.deepEqual([all.has_more, all.next_cursor], [false, null]);
    const times = all.data.map(({ created_at }) => created_at);
    assert.deepEqual(times, [...times].sort().reverse());

    const first = await deliveriesOf(token, id, '?limit=3');
    assert.equal(first.has_more, true);
    const second = await deliveriesOf(token, id, `?limit=3&cursor=${first.next_cursor}`);
    assert.deepEqual([...first.data, ...second.data], all.data);
    const foreign = await get(
      `/webhooks/${other.id}/deliveries?cursor=${first.next_cursor}`,
      token,
    );
    assert.match(await readError(foreign), /^400 invalid_request cursor/);
    const since = encodeURIComponent(times[1]!);
    assert.equal((await deliveriesOf(token, id, `?updated_since=${since}`)).data.length, 2);
    for (const invalidQuery of [
      'limit=0',
      'limit=101',
      'updated_since=yesterday',
      'status=failed',
    ]) {
      const error = await readError(await get(`/webhooks/${id}/deliveries?${invalidQuery}`, token));
      assert.match(error, new RegExp(`^400 invalid_request ${invalidQuery.split('=')[0]} `));
    }
    for (const each of [id, other.id]) await call('DELETE', `/webhooks/${each}`, token);
  });

  test('report the error, and can be sent again with the same id and a new schedule', async () => {
    const { token, create } = await newCaller();
    const { id } = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    receiver.setResponder(respondWith(500));
    await enqueueDonationCreated('don_again');
    const [failed] = await eventually(async () => {
      const { data } = await deliveriesOf(token, id);
      return data[0]?.attempts === 1 && data[0].last_error ? data : undefined;
    });
    assert.equal(failed!.status, 'pending');
    assert.equal(failed!.last_response_status, 500);
    assert.equal(failed!.last_error, 'The endpoint responded 500.');
    assert.ok(Date.parse(failed!.next_attempt_at!) > Date.now());

    receiver.setResponder(respondWith(204));
    const path = `/webhooks/${id}/deliveries/${failed!.id}/redeliver`;
    const response = await call('POST', path, token);
    assert.equal(response.status, 200);
    assert.equal(WebhookDelivery.parse(await response.json()).status, 'pending');
    const [delivered] = await eventually(async () => {
      const { data } = await deliveriesOf(token, id);
      return data[0]?.status === 'delivered' ? data : undefined;
    });
    assert.deepEqual([delivered!.id, delivered!.attempts], [failed!.id, 2]);
    const ids = receiver.received
      .filter(({ body }) => body.includes('don_again'))
      .map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(ids, [failed!.event_id, failed!.event_id]);

    assert.equal((await call('POST', path, token)).status, 200); // A delivered delivery can be sent again too.
    const unknown = await call('POST', `/webhooks/${id}/deliveries/whd_none/redeliver`, token);
    assert.match(await readError(unknown), /^404 not_found No webhook_delivery whd_none/);
    await call('DELETE', `/webhooks/${id}`, token);
  });

  test('of a test event are signed and never livemode', async () => {
    const { token, create } = await newCaller();
    const { id, secret } = await create({ events: ['payout.paid'], url: receiver.url });
    const response = await call('POST', `/webhooks/${id}/test`, token);
    assert.equal(response.status, 201);
    const { event_id, event_type } = WebhookDelivery.parse(await response.json());
    assert.equal(event_type, 'payout.paid');
    const { body, headers } = await eventually(async () =>
      receiver.received.find((received) => received.headers['webhook-id'] === event_id),
    );
    const event = WebhookEvent.parse(new Webhook(secret).verify(body, headers));
    assert.deepEqual([event.livemode, event.related_object.id], [false, 'test']);
    const other = await post(`/webhooks/${id}/test`, token, { event_type: 'donation.created' });
    assert.equal(WebhookDelivery.parse(await other.json()).event_type, 'donation.created');
    await call('DELETE', `/webhooks/${id}`, token);
  });
});

describe('an endpoint that responded 410', () => {
  test('receives nothing until it is changed', async () => {
    const { token, create } = await newCaller();
    const { id } = await create({ ...ENDPOINT_INPUT, url: receiver.url });
    receiver.setResponder(respondWith(410));
    await enqueueDonationCreated('don_gone');
    const [row] = await eventually(async () => {
      const { data } = await deliveriesOf(token, id);
      return data[0]?.status === 'failed' ? data : undefined;
    });
    receiver.setResponder(respondWith(204));
    await enqueueDonationCreated('don_unheard');
    assert.equal((await deliveriesOf(token, id)).data.length, 1);
    const refused = await call('POST', `/webhooks/${id}/deliveries/${row!.id}/redeliver`, token);
    assert.match(await readError(refused), /^409 conflict .*responded 410/);
    assert.match(await readError(await call('POST', `/webhooks/${id}/test`, token)), /^409 /);

    await patch(`/webhooks/${id}`, token, { events: ['donation.created'] });
    await enqueueDonationCreated('don_heard');
    const [newest] = await eventually(async () => {
      const { data } = await deliveriesOf(token, id);
      return data[0]?.status === 'delivered' ? data : undefined;
    });
    assert.equal(newest!.attempts, 1);
    await call('DELETE', `/webhooks/${id}`, token);
  });
});
