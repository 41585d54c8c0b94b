import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FormSession } from '@connect-embed/contract';
import {
  createConnectServer,
  type ConnectServerConfig,
  type Log,
  type CreatePages,
} from '../index.ts';
import { API_KEY } from './upstream.ts';

export const ORIGIN = 'https://www.harborstreet.example';
export const SESSION_SECRET = 'a session secret of this test that is long enough';

interface LogLine {
  level: string;
  message: string;
  [field: string]: unknown;
}

/** Opens a BFF on an upstream API, with helpers that send requests as an allowed page does. */
export function openServer(
  apiBase: string,
  config: Partial<ConnectServerConfig> = {},
  pages?: CreatePages,
) {
  const lines: LogLine[] = [];
  const write = (level: string) => (entry: object, message: string) =>
    void lines.push({ level, message, ...entry });
  const log: Log = { info: write('info'), warn: write('warn'), error: write('error') };
  const server = createConnectServer(
    {
      origins: [ORIGIN],
      apiBase,
      apiKey: API_KEY,
      sessionSecret: SESSION_SECRET,
      log,
      ...config,
    },
    pages,
  );

  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    // As from a socket: thousands of requests in one turn of the event loop would delay all timers, such
    // as those that close idle connections.
    await nextTurn();
    return await server.request(path, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  };

  const openForm = async (form?: string) => {
    const response = await post('/embed-sessions', form === undefined ? {} : { form });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as FormSession;
  };

  const createPaymentIntent = async (
    token: string,
    donation: unknown = { amount_cents: 5000 },
    key: string = crypto.randomUUID(),
    headers: Record<string, string> = {},
  ) =>
    await post('/payment-intents', donation, {
      authorization: `Bearer ${token}`,
      'idempotency-key': key,
      ...headers,
    });

  return { server, lines, post, openForm, createPaymentIntent };
}

/** The error of a response, which must have one. */
export async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  const { type, message } = error;
  return { status: response.status, type, message };
}
