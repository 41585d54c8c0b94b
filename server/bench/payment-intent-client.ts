/** What the benchmarks `payment-intents.ts` and `memory.ts` share: starting servers, and the requests of visitors. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'undici';

const ORIGIN = 'https://www.example.org';
/** Below the limit of 20 simultaneous attempts without a proof of work on a form. */
const CONCURRENCY = 16;

export const disposables = new AsyncDisposableStack();
const agent = new Agent({ connections: CONCURRENCY });
disposables.defer(() => agent.destroy());

/**
 * Starts a server of `payment-intent-servers.ts` in a process of its own, which ends with `disposables`.
 *
 * @param flags options of Node
 */
export async function startServer(flags: readonly string[], ...args: readonly string[]) {
  const file = new URL('payment-intent-servers.ts', import.meta.url);
  const child = fork(file, args, { execArgv: [...flags] });
  disposables.defer(() => void child.kill());
  const [address] = (await once(child, 'message')) as [string];
  return { child, address };
}

/** Opens the form as a new visitor. Returns the visitor's token. */
export async function openForm(server: string): Promise<string> {
  const session = await post(`${server}/embed-sessions`, {}, {});
  return (JSON.parse(session) as { session_token: string }).session_token;
}

/**
 * Creates payment intents for the given time, as many simultaneously as a form accepts.
 *
 * @param findToken returns the token of the next visitor
 * @returns their number
 */
export async function createIntents(
  server: string,
  milliseconds: number,
  findToken: () => Promise<string> | string,
): Promise<number> {
  const deadlineMs = performance.now() + milliseconds;
  let intents = 0;
  const createInTurn = async () => {
    for (; performance.now() < deadlineMs; intents += 1) {
      const authorization = `Bearer ${await findToken()}`;
      const headers = { authorization, 'idempotency-key': crypto.randomUUID() };
      await post(`${server}/payment-intents`, { amount_cents: 5000 }, headers);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, createInTurn));
  return intents;
}

async function post(address: string, content: object, headers: Record<string, string>) {
  const { statusCode, body } = await request(address, {
    method: 'POST',
    body: JSON.stringify(content),
    dispatcher: agent,
    headers: { origin: ORIGIN, 'content-type': 'application/json', ...headers },
  });
  const text = await body.text();
  if (statusCode !== 201) throw new Error(`${statusCode} ${text}`);
  return text;
}
