import { expect, fixture, html } from '@open-wc/testing';
import '../define.ts';
import type { ConnectProvider } from '../connect-provider.ts';
import type { TableSession } from './component-session.ts';
import { pageSession } from '../test-support/server.ts';
import { server } from '../test-support/set-up.ts';
import { queryShadow } from '../test-support/table.ts';
import { waitUntil } from '../test-support/wait-until.ts';

/** Opens a table with the session of a page, and returns what its failure logs to the console. */
async function openFailing(session: unknown): Promise<string> {
  const lines: string[] = [];
  const original = console.error;
  console.error = (...parts: unknown[]) => void lines.push(parts.join(' '));
  try {
    const provider = await fixture<ConnectProvider>(html`
      <connect-provider .fetchSession=${async () => session as TableSession}>
        <connect-donations refresh-seconds="0"></connect-donations>
      </connect-provider>
    `);
    const table = provider.querySelector('connect-donations')!;
    await waitUntil(() => queryShadow(table, '[role=alert]'), 'an error');
  } finally {
    console.error = original;
  }
  return lines.join('\n');
}

describe('a response of fetchSession', () => {
  const session = pageSession(['donations'], 'gb_cs_secret');
  for (const [description, value, field] of [
    ['is empty', undefined, 'token'],
    ['is an error response', { error: { type: 'unauthorized' } }, 'token'],
    ['has no token', { ...session, token: undefined }, 'token'],
    [
      'names the token as the API does not',
      { ...session, token: null, session_token: 'x' },
      'token',
    ],
    ['has no address of the API', { ...session, api_base: undefined }, 'api_base'],
    ['has no expiry', { ...session, expires_at: undefined }, 'expires_at'],
    ['has an expiry in seconds', { ...session, expires_at: 1_790_000_000 }, 'expires_at'],
    ['has an expiry that is no time', { ...session, expires_at: 'soon' }, 'expires_at'],
  ] as const) {
    it(`that ${description} is reported in the console by field: ${field}`, async () => {
      const report = await openFailing(value);
      expect(report).to.include('<connect-donations> TypeError: fetchSession must return');
      expect(report).to.include(`: ${field} is missing or invalid`);
      expect(report).not.to.include('gb_cs_secret');
      expect(server.requests, 'no request to the API').to.deep.equal([]);
    });
  }
});
