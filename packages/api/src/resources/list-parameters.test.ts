import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readError, startApi } from '../../test-support/app/start-api.ts';
import type { OpenApi } from '../openapi/document.ts';

const lookup = async () => ['93.184.216.34'];
const { app, db, url, post, createKey } = await startApi({ hosts: { lookup } });
const payout = await db
  .selectFrom('payout')
  .select('id')
  .where('organization_id', '=', 'org_harbor')
  .executeTakeFirstOrThrow();
const api = (await (await app.request('/api/v1/openapi.json')).json()) as OpenApi;

/** All lists in the OpenAPI document, so that a new list is tested too. */
const LISTS = Object.entries(api.paths)
  .filter(([, { get }]) => get?.parameters.some(({ name }) => name === 'limit'))
  .map(([path, { get }]) => ({ path, parameters: get!.parameters.map(({ name }) => name) }));

/** Invalid values of each parameter, URL-encoded. */
const INVALID_VALUES: Readonly<Record<string, readonly string[]>> = {
  limit: [
    ...['0', '101', '-1', '1.5', '1e2', '%2B5', '+5', '05', '0x5', '5%20', '%205', '5,000'],
    ...['%D9%A5', '', '%00', '5%00', 'NaN', 'Infinity', '9007199254740993', 'true', '[5]'],
  ],
  cursor: ['', 'abc', '%00', 'a.b.c.d.e', '%D9%A5', 'a'.repeat(3000), '%20', '../'],
  updated_since: [
    ...['yesterday', '2026-02-30T00:00:00Z', '2026-02-30', '2026-01-01', '2026-01-01T00:00:00'],
    ...['2026-01-01T25:00:00Z', '2026-13-01T00:00:00Z', '1767225600', '%00', '', '0'],
    ...['2026-01-01T00:00:00Z%00', '2026-01-01%2000:00:00Z', '+002026-01-01T00:00:00Z'],
    '%D9%A2%D9%A0%D9%A2%D9%A6-01-01T00:00:00Z',
  ],
  published: ['yes', 'TRUE', '1', '', '%00', 'null'],
  upcoming: ['false', '', '1', 'TRUE', '%00'],
  status: ['done', '', 'Confirmed', '%00', 'pending,confirmed'],
};

/** A valid value of each parameter, to send it twice. */
const VALID_VALUE: Readonly<Record<string, string>> = {
  limit: '5',
  updated_since: '2026-01-01T00:00:00Z',
  published: 'true',
  upcoming: 'true',
  status: 'confirmed',
};

/** The parameter that the list of payment intents requires. */
const REQUIRED = '&status=processing';

let caller = { token: '', webhookId: '', remainingRequests: 0 };

/** Returns a key that has not used up its rate limit, and a webhook endpoint of this key. */
async function nextCaller() {
  if (caller.remainingRequests-- > 0) return caller;
  const { token } = await createKey();
  const endpoint = { url: 'https://hooks.example.com/in', events: ['donation.created'] };
  const response = await post('/webhooks', token, endpoint);
  const { id } = (await response.json()) as { id: string };
  return (caller = { token, webhookId: id, remainingRequests: 100 });
}

/** The id of an existing resource, so that only the parameter can be rejected. */
function idBelow(path: string, webhookId: string): string {
  if (path.startsWith('/webhooks')) return webhookId;
  return path.startsWith('/payouts') ? payout.id : 'event_gala';
}

/** Requests a list over HTTP and returns its error. */
async function readRejection(path: string, query: string): Promise<string> {
  const { token, webhookId } = await nextCaller();
  const filledPath = path.replace('{id}', idBelow(path, webhookId));
  const headers = { authorization: `Bearer ${token}` };
  const required = path === '/payment-intents' && !query.startsWith('status=') ? REQUIRED : '';
  const address = `${url}/api/v1${filledPath}?${query}${required}`;
  return await readError(await fetch(address, { headers }));
}

test('there are at least the eight lists of the specification', () => {
  assert.ok(LISTS.length >= 8, LISTS.map(({ path }) => path).join());
});

for (const { path, parameters } of LISTS) {
  describe(`GET ${path}`, () => {
    const names = parameters.filter((name) => INVALID_VALUES[name]);

    for (const name of names) {
      test(`responds 400 to every invalid ${name}, and names it`, async () => {
        for (const value of INVALID_VALUES[name]!) {
          const problem = await readRejection(path, `${name}=${value}`);
          assert.match(problem, new RegExp(`^400 invalid_request ${name} `), value);
        }
      });
    }

    test('explains the space that a raw + becomes', async () => {
      for (const name of names.filter((name) => name.endsWith('_since'))) {
        const problem = await readRejection(path, `${name}=2026-01-31T00:00:00+02:00`);
        assert.match(problem, new RegExp(`^400 invalid_request ${name} .* Write the \\+ as %2B`));
      }
    });

    test('responds 400 to a repeated parameter, and names it', async () => {
      for (const name of names) {
        const value = VALID_VALUE[name] ?? 'abc';
        const problem = await readRejection(path, `${name}=${value}&${name}=${value}`);
        assert.equal(problem, `400 invalid_request ${name} must be given only once.`);
      }
    });

    test('responds 400 to an unknown parameter, and names it', async () => {
      const unknown = ['page', 'Limit', 'offset', 'limit[]', 'constructor', '__proto__'];
      for (const name of unknown.concat(
        Object.keys(INVALID_VALUES).filter((n) => !names.includes(n)),
      )) {
        const problem = await readRejection(path, `${encodeURIComponent(name)}=5`);
        assert.ok(problem.startsWith(`400 invalid_request ${name} `), problem);
      }
    });
  });
}
