import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Registration } from '@connect-embed/contract';
import { startEvents } from '@connect-embed/api/test-support/app/start-events';
import { ADMIN, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import type { PageResponse } from '@connect-embed/api/test-support/browser/visitor';
import {
  attributesOf,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor, owner, token, newEvent, newRegistration, registrations, webhookEventsOf } =
  await startEvents();

const guest = { attendee_name: 'Ana Ruiz', quantity: '1', status: 'confirmed' };
const statusOf = async (eventId: string, id: string) =>
  (await registrations(eventId)).find((row) => row.id === id)?.status;

describe('capacity', () => {
  test('of fifty simultaneous registrations for ten seats, ten succeed', async () => {
    const event = await newEvent({ capacity: '10' });
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, number) =>
        owner.post(`${event.path}/registrations`, { ...guest, attendee_name: `Guest ${number}` }),
      ),
    );
    assert.equal(responses.filter(({ status }) => status === 200).length, 10);
    for (const { document } of responses.filter(({ status }) => status !== 200)) {
      assert.match(textOf(document, '[role="alert"]')!, /No seats are left at this event/);
    }
    assert.equal((await registrations(event.id)).length, 10);
    assert.equal((await webhookEventsOf('registration.created', event.id)).length, 10);
  });

  test('of five simultaneous confirmations for two seats, two succeed', async () => {
    const event = await newEvent({ capacity: '2', allow_waitlist: 'on' });
    const pendingRegistrations = await Promise.all(
      Array.from({ length: 5 }, () =>
        owner.post(`${event.path}/registrations`, { ...guest, status: 'waitlisted' }),
      ),
    );
    assert.ok(pendingRegistrations.every(({ status }) => status === 200));
    assert.equal((await webhookEventsOf('registration.created', event.id)).length, 0);
    await Promise.all(
      (await registrations(event.id)).map(({ id }) =>
        owner.post(`${event.path}/registrations/${id}/confirm`, {}),
      ),
    );
    assert.equal((await registrations(event.id, '&status=confirmed')).length, 2);
    assert.equal((await webhookEventsOf('registration.created', event.id)).length, 2);
  });

  test('a registration takes as many seats as its quantity, and an error says how many are left', async () => {
    const event = await newEvent({ capacity: '5' });
    await newRegistration(event, { quantity: '4' });
    const response = await owner.post(`${event.path}/registrations`, { ...guest, quantity: '2' });
    assert.equal(response.status, 400);
    assert.match(response.text, /Only one seat is left at this event/);
    assert.ok(response.document.querySelector('[name="attendee_name"][value="Ana Ruiz"]'));
  });

  test('cancelled registrations free their seats', async () => {
    const event = await newEvent({ capacity: '1' });
    const { path } = await newRegistration(event);
    assert.equal((await owner.post(`${event.path}/registrations`, guest)).status, 400);
    await owner.post(`${path}/cancel`, {});
    assert.equal((await owner.post(`${event.path}/registrations`, guest)).status, 200);
  });
});

describe('a registration', () => {
  test('is returned by the API as it was entered, without other fields', async () => {
    const event = await newEvent({ pricing_mode: 'fixed', price: '20' });
    await newRegistration(event, {
      attendee_name: 'Ana Ruiz',
      attendee_email: 'ana@example.org',
      attendee_phone: '+1 207 555 0100',
      attendee_names: 'Ana Ruiz\r\n Leo Ruiz \r\n',
      quantity: '2',
      amount_paid: '40',
    });
    const [row] = await registrations(event.id);
    const { id, created_at, ...rest } = Registration.strict().parse(row);
    assert.match(id, /^reg_/);
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000);
    assert.deepEqual(rest, {
      object: 'registration',
      event_id: event.id,
      ticket_type_id: null,
      attendee_name: 'Ana Ruiz',
      attendee_email: 'ana@example.org',
      attendee_phone: '+1 207 555 0100',
      status: 'confirmed',
      quantity: 2,
      attendee_names: ['Ana Ruiz', 'Leo Ruiz'],
      amount_paid_cents: 4000,
      refunded_cents: 0,
      refunded_at: null,
      checked_in_at: null,
      source: 'dashboard',
    });
  });

  for (const [field, fields] of [
    ['attendee_name', { attendee_name: '' }],
    ['attendee_name', { attendee_name: 'Ana\u0007' }],
    ['attendee_email', { attendee_email: 'ana' }],
    ['attendee_names', { attendee_names: 'Ana\nLeo' }],
    ['quantity', { quantity: '0' }],
    ['quantity', { quantity: '101' }],
    ['amount_paid', { amount_paid: '-1' }],
    ['status', { status: 'refunded' }],
    ['status', { status: 'waitlisted' }],
  ] as const) {
    test(`is rejected because of ${field}: ${JSON.stringify(fields)}`, async () => {
      const event = await newEvent();
      const form = { ...guest, ...fields };
      const { status, document } = await owner.post(`${event.path}/registrations`, form);
      assert.equal(status, 400);
      assert.ok(document.querySelector(`#${field}-problem`));
      assert.deepEqual(await registrations(event.id), []);
    });
  }

  test('sends registration.created once, when it becomes confirmed', async () => {
    const event = await newEvent({ requires_approval: 'on' });
    const { id, path } = await newRegistration(event, { status: 'pending' });
    assert.deepEqual(await webhookEventsOf('registration.created', event.id), []);
    await Promise.all([1, 2, 3].map(() => owner.post(`${path}/confirm`, {})));
    await owner.post(`${path}/check-in`, {});
    await owner.post(`${path}/undo-check-in`, {});
    const [createdEvent, ...furtherEvents] = await webhookEventsOf(
      'registration.created',
      event.id,
    );
    assert.deepEqual(furtherEvents, []);
    assert.partialDeepStrictEqual(JSON.parse(createdEvent!.body), {
      type: 'registration.created',
      organization_id: 'org_harbor',
      related_object: { id, object: 'registration' },
    });
  });

  test('is checked in once, at the time of the first request, and can be undone', async () => {
    const event = await newEvent();
    const { id, path } = await newRegistration(event);
    await owner.post(`${path}/check-in`, {});
    const first = (await registrations(event.id))[0]?.checked_in_at;
    assert.ok(first);
    const repeated = await owner.post(`${path}/check-in`, {});
    assert.ok(repeated.document.querySelector('[role="status"]'));
    assert.equal((await registrations(event.id))[0]?.checked_in_at, first);
    const refused = await owner.post(`${path}/cancel`, {});
    assert.match(
      textOf(refused.document, '[role="alert"]')!,
      /is checked in and cannot be canceled/,
    );
    await owner.post(`${path}/undo-check-in`, {});
    assert.equal((await registrations(event.id))[0]?.checked_in_at, null);
    assert.equal(await statusOf(event.id, id), 'confirmed');
  });

  test('paid outside Connect is marked refunded once, and registration.refunded is sent', async () => {
    const event = await newEvent({ pricing_mode: 'fixed', price: '20', capacity: '1' });
    const { path } = await newRegistration(event, { amount_paid: '20' });
    assert.match((await owner.open(`${path}/refund`)).text, /\$20\.00 was paid outside/);
    await Promise.all([1, 2, 3].map(() => owner.post(`${path}/refund`, {})));
    const [row] = await registrations(event.id);
    assert.equal(row?.status, 'refunded');
    assert.equal(row?.refunded_cents, 2000);
    assert.ok(row?.refunded_at);
    assert.equal((await webhookEventsOf('registration.refunded', event.id)).length, 1);
    await newRegistration(event); // This registration succeeds, because the seat is free again.
  });

  test('without a payment cannot be refunded', async () => {
    const event = await newEvent();
    const { id, path } = await newRegistration(event);
    const refused = await owner.post(`${path}/refund`, {});
    assert.match(textOf(refused.document, '[role="alert"]')!, /Cancel it instead/);
    assert.equal(await statusOf(event.id, id), 'confirmed');
  });

  test('can be corrected, except for its seats and payment', async () => {
    const event = await newEvent();
    const { path } = await newRegistration(event, { attendee_name: 'Anna Ruis' });
    await owner.post(path, { attendee_name: 'Ana Ruiz', amount_paid: '99', quantity: '9' });
    const [row] = await registrations(event.id);
    assert.partialDeepStrictEqual(row, {
      attendee_name: 'Ana Ruiz',
      attendee_names: ['Ana Ruiz'],
      quantity: 1,
      amount_paid_cents: 0,
    });
  });

  test('is listed by status with pagination', async () => {
    const event = await newEvent();
    for (let number = 0; number < 27; number += 1) await newRegistration(event);
    const first = await owner.open(event.path);
    const [older] = attributesOf(first.document, 'a[href*="cursor="]', 'href');
    assert.ok(older);
    const rows = ({ document }: PageResponse) =>
      textsOf(document, 'a').filter((text) => text.startsWith('Guest ')).length;
    assert.equal(rows(first), 25);
    assert.equal(rows(await owner.open(older)), 2);
    assert.equal(rows(await owner.open(`${event.path}?status=cancelled`)), 0);
    assert.equal((await owner.open(`${event.path}?cursor=nonsense`)).status, 400);
  });
});

const checkedIn = ({ document }: PageResponse) => textOf(document, '.check-in-count');

describe('the check-in page', () => {
  test('finds guests by any part of their names and checks them in with one request', async () => {
    const event = await newEvent();
    const ana = await newRegistration(event, {
      attendee_name: 'Ana Ruiz',
      attendee_email: 'a@b.org',
    });
    await newRegistration(event, { attendee_name: '100%_Leo', quantity: '3' });
    const checkInPath = `${event.path}/check-in`;
    const open = await owner.open(checkInPath);
    assert.equal(checkedIn(open), '0 of 4 checked in');
    const found = await owner.open(`${checkInPath}?q=RUIZ+an`);
    assert.match(found.text, /Ana Ruiz/);
    assert.doesNotMatch(found.text, /Leo/);
    assert.doesNotMatch((await owner.open(`${checkInPath}?q=%25`)).text, /Ana Ruiz/);
    assert.match((await owner.open(`${checkInPath}?q=zzz`)).text, /No registrations match/);
    assert.equal((await owner.open(`${checkInPath}?q=%00`)).status, 200);

    const done = await owner.send(found, `${checkInPath}/${ana.id}`, {});
    assert.match(textOf(done.document, '[role="status"]')!, /Ana Ruiz checked in/);
    assert.equal(checkedIn(done), '1 of 4 checked in');
    assert.match(done.text, /Just arrived[\s\S]*Ana Ruiz/);
    const afterUndo = await owner.send(done, `${checkInPath}/${ana.id}/undo`, {});
    assert.equal(checkedIn(afterUndo), '0 of 4 checked in');
  });

  test('lists cancelled registrations but does not check them in', async () => {
    const event = await newEvent();
    const { id, path } = await newRegistration(event, { attendee_name: 'Kim Cancelled' });
    await owner.post(`${path}/cancel`, {});
    const found = await owner.open(`${event.path}/check-in?q=kim`);
    assert.equal(textOf(found.document, '.badge.neutral'), 'Canceled');
    assert.equal(found.document.querySelector('form[action*="check-in/reg_"]'), null);
    const response = await owner.post(`${event.path}/check-in/${id}`, {});
    assert.match(
      textOf(response.document, '[role="alert"]')!,
      /is canceled and cannot be checked in/,
    );
  });
});

describe('permissions', () => {
  test('a registration is found only under its own event and organization', async () => {
    const event = await newEvent();
    const other = await newEvent();
    const { id, path } = await newRegistration(event);
    assert.equal((await owner.open(`${other.path}/registrations/${id}`)).status, 404);
    assert.equal((await owner.post(`${other.path}/registrations/${id}/cancel`, {})).status, 404);
    const foreignPath = path.replace('org_harbor', 'org_lantern');
    assert.equal((await owner.post(`${foreignPath}/cancel`, {})).status, 404);
    assert.equal(await statusOf(event.id, id), 'confirmed');
  });

  test('members cannot cancel or refund', async () => {
    const event = await newEvent();
    const { id, path } = await newRegistration(event, { amount_paid: '20' });
    const member = visitor();
    await member.openAs(VOLUNTEER, event.path);
    for (const action of ['', '/confirm', '/cancel', '/refund', '/check-in']) {
      assert.equal((await member.post(path + action, guest)).status, 403, action);
    }
    assert.equal(await statusOf(event.id, id), 'confirmed');
  });

  test('members can check guests in, but see no contact details or payments', async () => {
    const event = await newEvent();
    const attendee = { attendee_name: 'Ana Ruiz', attendee_email: 'secret@example.org' };
    const { id, path } = await newRegistration(event, { ...attendee, amount_paid: '20' });
    const member = visitor();
    const page = await member.openAs(VOLUNTEER, event.path);
    assert.doesNotMatch(page.text, /Ana Ruiz|Registrations|\/edit"/);
    assert.equal((await member.open(path)).status, 403);
    const checkInPage = await member.open(`${event.path}/check-in?q=ana`);
    assert.doesNotMatch(checkInPage.text, /secret@|\$20/);
    await member.send(checkInPage, `${event.path}/check-in/${id}`, {});
    assert.equal(await statusOf(event.id, id), 'checked_in');
  });

  test('an admin without registrations:read sees no names', async () => {
    const event = await newEvent();
    await newRegistration(event, { attendee_name: 'Private Person' });
    const { id } = await api.db
      .selectFrom('person')
      .select('id')
      .where('email', '=', ADMIN)
      .executeTakeFirstOrThrow();
    await api.db
      .updateTable('membership')
      .set({ permissions: ['events:read'] })
      .where('person_id', '=', id)
      .execute();
    const admin = visitor();
    const page = await admin.openAs(ADMIN, event.path);
    assert.equal(page.status, 200);
    assert.doesNotMatch(page.text, /Private Person|Registrations/);
    assert.equal((await admin.open(`${event.path}/check-in`)).status, 403);
    assert.ok(token);
  });
});
