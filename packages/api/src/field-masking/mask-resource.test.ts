import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ALL_SCOPES, MASKS, type ComponentSession, type Mask } from '@connect-embed/contract';
import fc from 'fast-check';
import { pathWithQuery, ROUTES } from '../../test-support/app/route-table.ts';
import { readError, startApi } from '../../test-support/app/start-api.ts';
import { maskResource } from './mask-resource.ts';

/** Number of generated donors, each with a value in every personal field. */
const RUNS = Number(process.env['MASK_RUNS'] ?? 15);
const COMPONENTS = ['donations', 'donors', 'payouts'];
const READABLE = new Set(COMPONENTS.map((component) => `${component}:read`));

const { db, get, post } = await startApi();

async function open(masks?: readonly Mask[]): Promise<ComponentSession> {
  const response = await post('/component-sessions', ALL_SCOPES, { components: COMPONENTS, masks });
  assert.equal(response.status, 201, await response.clone().text());
  return (await response.json()) as ComponentSession;
}

/** A text that contains the name of its field, so that no other field has the same one. */
const word = (field: string) =>
  fc.string({ unit: 'grapheme-composite', maxLength: 12 }).map(
    // The text has no characters that PostgreSQL cannot store, and no white space, which separates
    // names.
    (text) => `${text.replace(/[\0\p{Cs}\s]/gu, '')}Zq${field}`,
  );
const person = fc.record({
  first_name: word('first'),
  last_name: word('last'),
  mailbox: fc.stringMatching(/^[a-z]{8,12}$/),
  phone: fc.stringMatching(/^\+[1-9]\d{10}$/),
  city: word('city'),
  state: word('state'),
  postal_code: fc.stringMatching(/^[0-9]{9}$/),
  country: word('country'),
});
type Person = typeof person extends fc.Arbitrary<infer Value> ? Value : never;

const addressOf = ({ mailbox }: Person) => `${mailbox}@donor.example`;

/** Returns the values that must not be in a response, by mask. */
const secrets = (person: Person): Record<Mask, string[]> => ({
  names: [person.first_name, person.last_name, `${person.first_name} ${person.last_name}`],
  emails: [addressOf(person), person.mailbox],
  phones: [person.phone],
  addresses: [person.city, person.state, person.postal_code, person.country],
});

/** Writes the person into every row with personal data of a donor. */
async function writePerson({ mailbox: _, ...person }: Person, email: string) {
  const fragment = { donor_name: `${person.first_name} ${person.last_name}`, donor_email: email };
  const texts = { dedication: `For ${fragment.donor_name}`, comment: `Write to ${email}` };
  const donor = db.updateTable('donor').set({ ...person, email });
  await donor.where('id', '=', 'dnr_masked').execute();
  await db
    .updateTable('donation')
    .set({ ...fragment, ...texts })
    .where('id', '=', 'don_masked')
    .execute();
  await db.updateTable('recurring_plan').set(fragment).where('id', '=', 'plan_masked').execute();
  await db.updateTable('payment_intent').set(fragment).where('id', '=', 'pi_masked').execute();
}

const IDS: Record<string, string> = {
  '/donations/:id': 'don_masked',
  '/donors/:id': 'dnr_masked',
  '/recurring-plans/:id': 'plan_masked',
  '/payouts/:id': 'po_masked',
  '/payouts/:id/transactions': 'po_masked',
};

/** Returns the text of a response, with each value written as in JSON. */
const normalizedText = async (response: Response): Promise<string> =>
  response.headers.get('content-type')!.startsWith('text/csv')
    ? JSON.stringify((await response.text()).replaceAll('""', '"'))
    : JSON.stringify(await response.json());

/** All paths that a component session can read. */
const PATHS = ROUTES.filter(
  ({ method, scope = '' }) => method === 'GET' && READABLE.has(scope),
).map((route) => pathWithQuery(route).replace(':id', IDS[route.path] ?? 'nobody_thought_of_it'));

before(async () => {
  const organization_id = 'org_harbor';
  const source = 'api' as const;
  await db.insertInto('donor').values({ id: 'dnr_masked', organization_id, source }).execute();
  const donation = { organization_id, amount_cents: 500, currency: 'usd', source };
  await db
    .insertInto('donation')
    .values({ ...donation, id: 'don_masked', contact_id: 'dnr_masked' })
    .execute();
  await db
    .insertInto('recurring_plan')
    .values({
      ...donation,
      id: 'plan_masked',
      frequency: 'monthly',
      status: 'active',
      amounts: '{}',
      processor_subscription_id: 'sub_masked',
      processor_customer_id: 'cus_masked',
    })
    .execute();
  await db
    .insertInto('payment_intent')
    .values({ ...donation, id: 'pi_masked', status: 'processing', source_id: 'key_masked' })
    .execute();
  const arrival_date = new Date('2026-03-01');
  const payout = { organization_id, amount_cents: 500, currency: 'usd', status: 'paid' as const };
  await db
    .insertInto('payout')
    .values({ ...payout, id: 'po_masked', arrival_date })
    .execute();
});

describe('a session with masks', () => {
  test('returns no masked value on any route', async () => {
    await fc.assert(
      fc.asyncProperty(person, fc.subarray([...MASKS], { minLength: 1 }), async (person, masks) => {
        await writePerson(person, addressOf(person));
        const { token } = await open(masks);
        const { token: unmasked } = await open();
        for (const path of PATHS) {
          const response = await get(path, token);
          const text = await normalizedText(response);
          assert.equal(response.status, 200, `${path}: ${text}`);
          const whole = await normalizedText(await get(path, unmasked));
          for (const mask of masks) {
            for (const secret of secrets(person)[mask]) {
              const fragment = JSON.stringify(secret).slice(1, -1);
              assert.ok(!text.includes(fragment), `${path} tells ${mask}: ${secret}`);
            }
          }
          for (const mask of MASKS.filter((mask) => !masks.includes(mask))) {
            for (const secret of secrets(person)[mask]) {
              const donorColumns = JSON.stringify(secret).slice(1, -1);
              assert.equal(
                text.includes(donorColumns),
                whole.includes(donorColumns),
                `${path} hides ${mask}`,
              );
            }
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  test('without masks returns these values, so that the previous test can fail', async () => {
    const person: Person = {
      ...{ first_name: 'Zqxada', last_name: 'Zqxlace', mailbox: 'zqxadalace' },
      ...{ phone: '+15550100999', city: 'Zqxcity', state: 'Zqxstate' },
      ...{ postal_code: '987654321', country: 'Zqxland' },
    };
    await writePerson(person, addressOf(person));
    const { token, masks } = await open();
    assert.equal(masks, undefined);
    const responses = await Promise.all(
      ['/donors/dnr_masked', '/donations/don_masked', '/recurring-plans/plan_masked'].map(
        async (path) => await (await get(path, token)).text(),
      ),
    );
    for (const secret of Object.values(secrets(person)).flat()) {
      assert.ok(
        responses.some((text) => text.includes(secret)),
        secret,
      );
    }
  });

  test('returns initials, and all other fields unchanged', async () => {
    await db
      .updateTable('donation')
      .set({ donor_name: 'Ada Lovelace', donor_email: 'ada@example.org' })
      .where('id', '=', 'don_masked')
      .execute();
    const path = '/donations/don_masked';
    const masked = await (await get(path, (await open(MASKS)).token)).json();
    const whole = (await (await get(path, (await open()).token)).json()) as object;
    assert.deepEqual(masked, {
      ...whole,
      donor_name: 'A. L.',
      donor_email: null,
      contact_id: null,
      ...{ dedication: null, comment: null },
    });
  });

  test('pages through a list like any other session', async () => {
    const { token } = await open(['emails']);
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/donations?limit=100${cursor && `&cursor=${cursor}`}`;
      const page = (await (await get(path, token)).json()) as {
        data: { id: string; donor_email: null }[];
        next_cursor: string | null;
      };
      assert.ok(page.data.every(({ donor_email }) => donor_email === null));
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    const rows = await db
      .selectFrom('donation')
      .select('id')
      .where('organization_id', '=', 'org_harbor')
      .execute();
    assert.deepEqual(ids.sort(), rows.map(({ id }) => id).sort());
  });

  test('rejects filters by masked fields and unknown parameters', async () => {
    const { token } = await open(['emails']);
    for (const name of ['donor_email', 'email', 'donor_name', 'sort', 'constructor']) {
      const error = await readError(await get(`/donations?${name}=ada`, token));
      assert.match(error, new RegExp(`^400 invalid_request ${name} `));
    }
    assert.equal((await get('/donations?recurring=false&limit=1', token)).status, 200);
    // Any search text is allowed; it only searches fields that the session sees: `resources/search/search.test.ts`.
    assert.equal((await get('/donations?q=ada', token)).status, 200);
  });

  test('gets the usual errors', async () => {
    const { token } = await open(MASKS);
    assert.match(await readError(await get('/donations/don_none', token)), /^404 not_found /);
    assert.match(await readError(await get('/funds', token)), /^403 insufficient_scope /);
    assert.match(await readError(await get('/donors?limit=0', token)), /^400 .*limit /);
  });

  test('lists its masks, each one once', async () => {
    const { masks } = await open(['emails', 'names', 'emails']);
    assert.deepEqual(masks, ['emails', 'names']);
  });
});

describe('an unknown part of a response', () => {
  test('is removed if it is a field', () => {
    const masks = new Set<Mask>(['emails']);
    const masked = maskResource({ object: 'donor', id: 'dnr_1', nickname: 'Zed' }, masks);
    assert.deepEqual(masked, { object: 'donor', id: 'dnr_1' });
  });

  test('is rejected if it is a kind of resource', () => {
    const masks = new Set<Mask>(['emails']);
    for (const object of ['registration', 'toString', undefined]) {
      assert.throws(
        () => maskResource({ object, id: 'x_1' }, masks),
        /not available to a session with masks/,
      );
    }
  });
});

for (const [description, masks, field] of [
  ['an unknown mask', ['shoes'], 'masks.0'],
  ['no list of masks', 'emails', 'masks'],
] as const) {
  test(`POST /component-sessions rejects ${description} and names ${field}`, async () => {
    const response = await post('/component-sessions', ALL_SCOPES, {
      components: ['donors'],
      masks,
    });
    assert.match(await readError(response), new RegExp(`^400 invalid_request ${field} `));
  });
}
