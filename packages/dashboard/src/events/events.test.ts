import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startEvents, SUPPER } from '@connect-embed/api/test-support/app/start-events';
import { ADMIN, VOLUNTEER } from '@connect-embed/api/test-support/app/start-oauth';
import type { PageResponse } from '@connect-embed/api/test-support/browser/visitor';
import {
  attributesOf,
  textOf,
  textsOf,
} from '@connect-embed/api/test-support/browser/read-document';

const { api, visitor, owner, LIST, read, newEvent, newRegistration, registrations } =
  await startEvents();

describe('a new event', () => {
  test('is a draft whose times are read in its time zone', async () => {
    const { id, path } = await newEvent(
      {
        // Daylight saving time begins between the start and the end of the event.
        ends_at: '2031-03-09T18:00',
        registration_opens_at: '2031-01-01T09:00',
        registration_closes_at: '2031-03-01T00:00',
        location: 'The Hall',
        capacity: '40',
        allow_waitlist: 'on',
        fund_id: 'fund_general',
        title: 'Sopa & Café',
      },
      { draft: true },
    );
    assert.partialDeepStrictEqual(await read(id), {
      slug: 'sopa-cafe',
      published: false,
      published_at: null,
      starts_at: '2031-03-08T23:00:00.000Z',
      ends_at: '2031-03-09T22:00:00.000Z',
      registration_opens_at: '2031-01-01T14:00:00.000Z',
      location: 'The Hall',
      capacity: 40,
      allow_waitlist: true,
      requires_approval: false,
      fund_id: 'fund_general',
      campaign_id: null,
      price_cents: null,
      ticket_types: [],
    });
    const form = await owner.open(`${path}/edit`);
    const startsAt = form.document.querySelector('input[name="starts_at"][type="datetime-local"]');
    assert.equal(startsAt?.getAttribute('value'), '2031-03-08T18:00');
    assert.ok(form.document.querySelector('[value="America/New_York"][selected]'));
  });

  for (const [description, fields, expected] of [
    ['one price', { pricing_mode: 'fixed', price: '25' }, { price_cents: 2500 }],
    [
      'pay what you want',
      { pricing_mode: 'pay_what_you_want', pwyw_suggested: '15', price: '99' },
      { pwyw_min_cents: 0, pwyw_suggested_cents: 1500, price_cents: null },
    ],
    ['nothing', { pricing_mode: 'free', price: '99' }, { price_cents: null }],
  ] as const) {
    test(`has the price ${description}`, async () => {
      const { id } = await newEvent(fields);
      assert.partialDeepStrictEqual(await read(id), expected);
    });
  }

  for (const [field, fields] of [
    ['title', { title: '  ' }],
    ['starts_at', { starts_at: '' }],
    ['starts_at', { starts_at: '2031-02-30T10:00' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['ends_at', { ends_at: '2031-03-08T17:59' }],
    [
      'registration_closes_at',
      { registration_opens_at: '2031-01-02T00:00', registration_closes_at: '2031-01-01T00:00' },
    ],
    ['price', { pricing_mode: 'fixed' }],
    ['price', { pricing_mode: 'fixed', price: '0' }],
    ['pwyw_suggested', { pricing_mode: 'pay_what_you_want', pwyw_min: '5', pwyw_suggested: '4' }],
    ['pricing_mode', { pricing_mode: 'gratis' }],
    ['event_format', { event_format: '' }],
    ['capacity', { capacity: '0' }],
    ['capacity', { capacity: '2.5' }],
    ['online_meeting_url', { online_meeting_url: 'javascript:alert(1)' }],
    ['fund_id', { fund_id: 'fund_lantern' }],
    ['campaign_id', { campaign_id: 'camp_none' }],
  ] as const) {
    test(`is rejected because of ${field}: ${JSON.stringify(fields)}`, async () => {
      const { status, document } = await owner.post(LIST, {
        ...SUPPER,
        description: 'Kept',
        ...fields,
      });
      assert.equal(status, 400);
      assert.ok(document.querySelector(`#${field}-problem`));
      assert.equal(textOf(document, 'textarea[name="description"]'), 'Kept');
    });
  }
});

describe('an event', () => {
  test('can be published, and unpublished until somebody registers', async () => {
    const event = await newEvent();
    assert.equal((await read(event.id)).published, true);
    await owner.post(`${event.path}/unpublish`, {});
    assert.equal((await read(event.id)).published, false);
    await owner.post(`${event.path}/publish`, {});
    await newRegistration(event);
    const refused = await owner.post(`${event.path}/unpublish`, {});
    assert.match(textOf(refused.document, '[role="alert"]')!, /Cancel it instead/);
    assert.equal((await read(event.id)).published, true);
  });

  test('can be deleted only as a draft', async () => {
    const { id, path } = await newEvent();
    const refused = await owner.post(`${path}/delete`, {});
    assert.match(
      textOf(refused.document, '[role="alert"]')!,
      /The event is published and cannot be deleted/,
    );
    await owner.post(`${path}/unpublish`, {});
    assert.match((await owner.post(`${path}/delete`, {})).text, /Draft deleted/);
    assert.equal((await owner.open(path)).status, 404);
    assert.equal((await api.get(`/events/${id}`, ['events:read'])).status, 404);
  });

  test('when cancelled, it is unpublished, free registrations are cancelled and paid ones are kept', async () => {
    const event = await newEvent({ pricing_mode: 'fixed', price: '20' });
    const free = await newRegistration(event);
    const paid = await newRegistration(event, { amount_paid: '20' });
    const confirmationPage = await owner.open(`${event.path}/cancel`);
    assert.match(confirmationPage.text, /cannot be published again/);
    const done = await owner.post(`${event.path}/cancel`, {});
    assert.match(done.text, /Event canceled/);
    assert.equal((await read(event.id)).published, false);
    const after = new Map((await registrations(event.id)).map((row) => [row.id, row.status]));
    assert.equal(after.get(free.id), 'cancelled');
    assert.equal(after.get(paid.id), 'confirmed');

    for (const action of ['publish', 'cancel', 'unpublish']) {
      const refused = await owner.post(`${event.path}/${action}`, {});
      assert.match(textOf(refused.document, '[role="alert"]')!, /The event is canceled/, action);
    }
    const registration = { attendee_name: 'Late', quantity: '1', status: 'confirmed' };
    const refused = await owner.post(`${event.path}/registrations`, registration);
    assert.match(textOf(refused.document, '[role="alert"]')!, /The event is canceled/);
    assert.ok(
      (await owner.post(`${paid.path}/check-in`, {})).document.querySelector('[role="alert"]'),
    );
    await owner.post(`${paid.path}/refund`, {});
    assert.equal((await registrations(event.id, '&status=refunded'))[0]?.id, paid.id);
  });

  test('cannot have a capacity below the seats taken, nor a new price after a registration', async () => {
    const event = await newEvent({ capacity: '5' });
    await newRegistration(event, { quantity: '3' });
    const save = (fields: object) => owner.post(event.path, { ...SUPPER, slug: '', ...fields });
    const capacityChange = await save({ capacity: '2' });
    assert.match(
      capacityChange.text,
      /id="capacity-problem"[^>]*>Must be at least 3, the number of seats taken/,
    );
    const priceChange = await save({ pricing_mode: 'fixed', price: '5' });
    assert.ok(priceChange.document.querySelector('#pricing_mode-problem'));
    assert.equal((await save({ capacity: '3', title: 'Renamed' })).status, 200);
    assert.partialDeepStrictEqual(await read(event.id), { capacity: 3, title: 'Renamed' });
  });
});

describe('ticket types', () => {
  const dinner = { name: 'Dinner', price: '45', capacity: '2', sort_order: '2', is_active: 'on' };

  test('are listed in their sort order, and publishing requires at least one', async () => {
    const { id, path } = await newEvent({ pricing_mode: 'ticketed' }, { draft: true });
    assert.match((await owner.post(`${path}/publish`, {})).text, /Add a ticket type first/);
    await owner.post(`${path}/ticket-types`, dinner);
    await owner.post(`${path}/ticket-types`, {
      ...dinner,
      name: 'Seat',
      price: '0',
      sort_order: '1',
    });
    await owner.post(`${path}/publish`, {});
    const { published, ticket_types: tickets } = await read(id);
    assert.equal(published, true);
    assert.deepEqual(
      tickets.map(({ name, price_cents, capacity }) => [name, price_cents, capacity]),
      [
        ['Seat', 0, 2],
        ['Dinner', 4500, 2],
      ],
    );
  });

  test('have their own capacity, and cannot be deleted once they have registrations', async () => {
    const event = await newEvent({ pricing_mode: 'ticketed' }, { draft: true });
    await owner.post(`${event.path}/ticket-types`, dinner);
    await owner.post(`${event.path}/publish`, {});
    const ticket_type_id = (await read(event.id)).ticket_types[0]!.id;
    const register = (fields: object) =>
      owner.post(`${event.path}/registrations`, {
        attendee_name: 'Ana',
        quantity: '1',
        status: 'confirmed',
        ...fields,
      });
    assert.ok((await register({})).document.querySelector('#ticket_type_id-problem'));
    const foreign = await register({ ticket_type_id: 'tkt_seat' });
    assert.ok(foreign.document.querySelector('#ticket_type_id-problem'));
    assert.equal((await register({ ticket_type_id, quantity: '2' })).status, 200);
    const rejected = await register({ ticket_type_id });
    assert.equal(rejected.status, 400);
    assert.match(rejected.text, /No seats are left of “Dinner”/);

    const path = `${event.path}/ticket-types/${ticket_type_id}`;
    assert.match((await owner.post(`${path}/delete`, {})).text, /Take it off sale instead/);
    const response = await owner.post(path, { ...dinner, capacity: '1' });
    assert.match(
      response.text,
      /id="capacity-problem"[^>]*>Must be at least 2, the number of seats taken/,
    );
    await owner.post(path, { ...dinner, is_active: '' });
    assert.equal((await read(event.id)).ticket_types[0]?.is_active, false);
  });
});

describe('the list of events', () => {
  /** The titles of the events of this test in the order of a view, page by page. */
  async function titles(view: string) {
    const found: string[] = [];
    for (let path: string | undefined = LIST + view; path !== undefined;) {
      const { document }: PageResponse = await owner.open(path);
      found.push(...textsOf(document, 'a').filter((title) => title.startsWith('Ordered ')));
      [path] = attributesOf(document, 'a[rel="next"][href*="cursor="]', 'href');
    }
    return found;
  }

  test('is in the order of the start times, and an event is upcoming until it ends', async () => {
    const year = (text: string) => ({ starts_at: `${text}-06-01T18:00`, ends_at: '' });
    await newEvent({ ...year('2033'), title: 'Ordered late' });
    await newEvent({ ...year('2031'), title: 'Ordered soon' });
    await newEvent({ ...year('2032'), title: 'Ordered next' });
    await newEvent({
      starts_at: '2020-06-01T18:00',
      ends_at: '2035-06-01T18:00',
      title: 'Ordered now',
    });
    await newEvent({ ...year('2020'), title: 'Ordered past' });
    const upcoming = ['Ordered now', 'Ordered soon', 'Ordered next', 'Ordered late'];
    assert.deepEqual(await titles('?show=upcoming'), upcoming);
    const all = ['Ordered late', 'Ordered next', 'Ordered soon'];
    assert.deepEqual((await titles('')).slice(0, 3), all);
    assert.deepEqual(new Set(await titles('')), new Set([...upcoming, 'Ordered past']));
  });
});

describe('permissions', () => {
  test('members cannot change events, and events of another organization are not found', async () => {
    const { id, path } = await newEvent();
    const member = visitor();
    await member.openAs(VOLUNTEER, LIST);
    for (const at of ['', '/cancel', '/unpublish', '/ticket-types', '/registrations']) {
      assert.equal((await member.post(path + at, SUPPER)).status, 403, at);
    }
    assert.equal((await member.post(LIST, SUPPER)).status, 403);
    assert.equal((await read(id)).published, true);

    const admin = visitor();
    await admin.openAs(ADMIN, LIST);
    for (const at of ['', '/cancel', '/publish', '/delete', '/ticket-types', '/registrations']) {
      const { status } = await admin.post(`${LIST}/event_lantern${at}`, SUPPER);
      assert.equal(status, 404, at);
    }
    for (const at of ['', '/edit', '/check-in', '/registrations/new', '/ticket-types/new']) {
      assert.equal((await admin.open(`${LIST}/event_lantern${at}`)).status, 404, at);
    }
  });

  test('a cross-site form submission is rejected', async () => {
    const { path } = await newEvent();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    assert.equal((await owner.post(`${path}/cancel`, {}, foreign)).status, 403);
  });
});
