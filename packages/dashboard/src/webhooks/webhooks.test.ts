import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  ADMIN,
  OWNER,
  VOLUNTEER,
  type PageResponse,
} from '@connect-embed/api/test-support/app/start-oauth';
import { eventually } from '@connect-embed/api/test-support/app/start-api';
import { startWebhooks } from '@connect-embed/api/test-support/app/start-webhooks';
import { respondWith } from '@connect-embed/api/test-support/network/webhook-receiver';
import { textsOf } from '@connect-embed/api/test-support/browser/read-document';

const { receiver, newCaller, patch, enqueueDonationCreated, visitor, ...api } =
  await startWebhooks();
const LIST = '/dashboard/org_harbor/webhooks';
const CREATED = { events: 'donation.created' };

const secretIn = ({ document }: PageResponse) =>
  document.querySelector('#secret')?.getAttribute('value') ?? '';

async function owner() {
  const person = visitor();
  await person.openAs(OWNER, LIST);
  return person;
}

/** Creates an endpoint in the dashboard with the URL of the test receiver. */
async function makeEndpoint(fields: Record<string, string> = {}) {
  const person = await owner();
  const page = await person.post(LIST, { url: receiver.url, ...CREATED, ...fields });
  assert.equal(page.status, 200, page.text);
  return { person, path: page.url.pathname, secret: secretIn(page) };
}

const matchIn = (page: PageResponse, pattern: RegExp) => {
  assert.equal(page.status, 200);
  assert.match(page.text, pattern);
  return page;
};

/** Reloads a page until its text matches. */
const reloadUntil = (person: Awaited<ReturnType<typeof owner>>, path: string, pattern: RegExp) =>
  eventually(async () => {
    const page = await person.open(path);
    return pattern.test(page.text) ? page : undefined;
  });

describe('Developers › Webhooks', () => {
  test('an endpoint is created, its secret is shown once, and deliveries are signed with it', async () => {
    const { person, path, secret } = await makeEndpoint({ description: 'Our <CRM>' });
    assert.match(secret, /^whsec_/);
    const reloadedPage = await person.open(path);
    assert.equal(secretIn(reloadedPage), '');
    assert.ok(reloadedPage.text.includes('Our &lt;CRM&gt;'));
    const receivedBefore = receiver.received.length;
    await enqueueDonationCreated('don_dashboard_1');
    const delivery = await eventually(async () => receiver.received[receivedBefore]);
    new Webhook(secret).verify(delivery.body, delivery.headers);
    await reloadUntil(person, path, /Working/);
    matchIn(await person.open(LIST), /Working/);
    await person.post(`${path}/delete`, {});
  });

  test('an invalid endpoint is not created, and the typed values are kept', async () => {
    const person = await owner();
    for (const [fields, error] of [
      [{ url: 'https://inside.example/x', ...CREATED }, /URL: Must have a public host/],
      [{ url: 'http://example.com/x', ...CREATED }, /URL: Must use https/],
      [{ url: 'nowhere', ...CREATED }, /URL: Must be a URL/],
      [{ url: receiver.url }, /Select at least one event/],
    ] as const) {
      const page = await person.post(LIST, fields);
      assert.equal(page.status, 400);
      assert.match(page.text, error);
      assert.ok(page.document.querySelector(`[value="${fields.url}"]`));
    }
    matchIn(await person.open(LIST), /No endpoints yet/);
  });

  test('URL, events and description can be changed', async () => {
    const { person, path } = await makeEndpoint();
    matchIn(await person.open(`${path}/edit`), /value="donation.created"\s+checked/);
    const fields = { url: receiver.url, events: 'payout.paid', description: 'For the books' };
    const page = matchIn(await person.post(`${path}/edit`, fields), /Endpoint saved\./);
    assert.match(page.text, /Payout paid/);
    assert.doesNotMatch(page.text, /Donation received/);
    assert.equal((await person.post(`${path}/edit`, { ...fields, url: 'x' })).status, 400);
    await person.post(`${path}/delete`, {});
  });

  test('rotating the secret asks for confirmation, shows the new secret once, and both secrets sign', async () => {
    const { person, path, secret } = await makeEndpoint();
    matchIn(await person.open(`${path}/rotate-secret`), /both the current and\s+the new secret/);
    const page = matchIn(await person.post(`${path}/rotate-secret`, {}), /For the next 24 hours/);
    const newSecret = secretIn(page);
    assert.notEqual(newSecret, secret);
    matchIn(await person.open(path), /Two active secrets/);
    const receivedBefore = receiver.received.length;
    await enqueueDonationCreated('don_dashboard_2');
    const delivery = await eventually(async () => receiver.received[receivedBefore]);
    for (const each of [secret, newSecret])
      new Webhook(each).verify(delivery.body, delivery.headers);
    await person.post(`${path}/delete`, {});
  });

  test('a test event is sent, and each attempt is shown with its response', async () => {
    const { person, path } = await makeEndpoint();
    receiver.setResponder(respondWith(503));
    const page = await person.post(`${path}/test`, { event_type: 'donation.created' });
    assert.match(page.url.pathname, /\/deliveries\/whd_/);
    const delivery = page.url.pathname;
    const failed = await reloadUntil(person, delivery, /The endpoint responded 503\./);
    assert.match(failed.text, /\d+ ms/);
    assert.match(failed.text, /livemode&quot;: false/);
    matchIn(await person.open(`${path}?status=pending`), /donation\.created/);
    matchIn(await person.open(`${path}?status=delivered`), /No deliveries with this status/);
    receiver.setResponder(respondWith(204));
    matchIn(await person.post(`${delivery}/redeliver`, {}), /Redelivery queued/);
    const delivered = await reloadUntil(person, delivery, /positive">Delivered/);
    const cells = textsOf(delivered.document, 'td');
    assert.ok(cells.includes('503'));
    assert.ok(cells.includes('204'));
    assert.ok(textsOf(delivered.document, '[role="rowheader"]').includes('2'));
    await person.post(`${path}/delete`, {});
  });

  test('a disabled endpoint receives no events until it is enabled', async () => {
    const { person, path } = await makeEndpoint();
    matchIn(await person.open(`${path}/disable`), /while the endpoint is off\s+are not sent/);
    matchIn(await person.post(`${path}/disable`, {}), /A team member turned it off/);
    await enqueueDonationCreated('don_dashboard_3');
    const refused = await person.post(`${path}/test`, { event_type: 'donation.created' });
    assert.match(refused.text, /is not available for the endpoint/);
    matchIn(await person.post(`${path}/enable`, {}), /Endpoint turned on/);
    await enqueueDonationCreated('don_dashboard_4');
    const deliveryOf = (id: string) => receiver.received.find(({ body }) => body.includes(id));
    await eventually(async () => deliveryOf('don_dashboard_4'));
    assert.equal(deliveryOf('don_dashboard_3'), undefined);
    await person.post(`${path}/delete`, {});
  });

  test('an endpoint that responded 410 shows why it is disabled and can be enabled again', async () => {
    const { person, path } = await makeEndpoint();
    receiver.setResponder(respondWith(410));
    await person.post(`${path}/test`, { event_type: 'donation.created' });
    const page = await reloadUntil(person, path, /410 Gone/);
    assert.match(page.text, /Turn on/);
    receiver.setResponder(respondWith(204));
    matchIn(await person.post(`${path}/enable`, {}), /Endpoint turned on/);
    await person.post(`${path}/delete`, {});
  });

  test('an endpoint of an API key is shown, and the key cannot enable it after it was disabled in the dashboard', async () => {
    const { token, create } = await newCaller();
    const { id } = await create({ url: receiver.url, events: ['donation.created'] });
    const person = await owner();
    matchIn(await person.open(`${LIST}/${id}`), /Created by the API key/);
    await person.post(`${LIST}/${id}/disable`, {});
    assert.equal((await patch(`/webhooks/${id}`, token, { description: 'x' })).status, 200);
    matchIn(await person.open(`${LIST}/${id}`), /A team member turned it off/);
    const sent = await api.post(`/webhooks/${id}/test`, token, {});
    assert.equal(sent.status, 409);
    matchIn(await person.open(`${LIST}/${id}/delete`), /cannot be undone/);
    matchIn(await person.post(`${LIST}/${id}/delete`, {}), /Endpoint deleted/);
    assert.equal((await api.get(`/webhooks/${id}`, token)).status, 404);
  });

  test('an endpoint created in the dashboard is not accessible with an API key', async () => {
    const { person, path } = await makeEndpoint();
    const { token } = await newCaller();
    assert.deepEqual(await (await api.get('/webhooks', token)).json(), { data: [] });
    const id = path.split('/').at(-1) ?? '';
    assert.equal((await api.get(`/webhooks/${id}`, token)).status, 404);
    await person.post(`${path}/delete`, {});
  });

  test('is not accessible to plain members or other organizations', async () => {
    const { person, path } = await makeEndpoint();
    const id = path.split('/').at(-1) ?? '';
    assert.equal((await visitor().openAs(VOLUNTEER, LIST)).status, 403);
    const admin = visitor();
    assert.equal((await admin.openAs(ADMIN, LIST)).status, 200);
    assert.equal((await admin.open('/dashboard/org_lantern/webhooks')).status, 404);
    assert.equal((await person.open(`/dashboard/org_lantern/webhooks/${id}`)).status, 404);
    assert.equal(
      (await person.post(`/dashboard/org_lantern/webhooks/${id}/delete`, {})).status,
      404,
    );
    matchIn(await person.open(path), /Created in the dashboard/);
    await person.post(`${path}/delete`, {});
  });
});
