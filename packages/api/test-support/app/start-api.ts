import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import {
  readConfig as readSandboxConfig,
  startSandbox as startSandboxServer,
} from '@connect-embed/sandbox';
import { ALL_SCOPES, ERROR_CODES, type ErrorEnvelope, type Scope } from '@connect-embed/contract';
import { createPages } from 'connect-embed/service/pages';
import pino from 'pino';
import Stripe from 'stripe';
import { createApp } from '../../src/app.ts';
import { addApiKey, createApiKey } from '../../src/auth/api-key.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { DEMO_ORGANIZATION_ID } from '../../src/db/seed.ts';
import { createWebhooks } from '../../src/webhooks/webhooks.ts';
import type { HostOptions } from '../../src/webhooks/public-host.ts';
import { createDeps } from '../../src/process/deps.ts';
import { LOG_SERIALIZERS } from '../../src/lib/log.ts';
import { cloneDatabase, cloneSeededDatabase } from '../database/database.ts';
import { Visitor } from '../browser/visitor.ts';
import './reuse-password-hashes.ts';

/** API key of the server, for `SERVER_API_KEY`: `addServerKey` stores it for an organization. */
export const SERVER_KEY = `gb_live_${'k'.repeat(43)}`;

export interface StartOptions {
  /** If true, the database has no organizations and no people. */
  isEmpty?: boolean;
  /**
   * If true, a sandbox (our Stripe stand-in) is started, which sends its events to this API.
   */
  sandbox?: boolean;
  /** If false, the sandbox sends no events, and the test delivers them. */
  sandboxEvents?: boolean;
  /**
   * Hosts that webhooks may be sent to. Deliveries are only queued, unless the test starts a delivery
   * worker.
   */
  hosts?: HostOptions;
  /** Additional environment variables. */
  env?: Record<string, string>;
}

export type Api = Awaited<ReturnType<typeof startApi>>;

/**
 * Starts the app on a new database with seed data and the demo accounts, and the sandbox if
 * required.
 *
 * Everything is stopped after the test file. Tests call the app without a socket; only the app
 * and the sandbox send each other their requests over sockets.
 */
export async function startApi({
  isEmpty = false,
  sandbox = false,
  sandboxEvents = true,
  hosts,
  env,
}: StartOptions = {}) {
  const disposables = new AsyncDisposableStack();
  after(() => disposables.disposeAsync());
  const { url, drop } = await (isEmpty ? cloneDatabase() : cloneSeededDatabase());
  disposables.defer(drop);
  const database = openDatabase(url);
  const { db } = database;
  disposables.defer(database.close);

  // The sandbox needs the API's URL before the API can be configured with the sandbox's URL.
  const listener = await startServer((request, call) => app.fetch(request, call));
  disposables.defer(listener.close);
  const sandboxUrl = sandbox
    ? await startSandbox(sandboxEvents ? listener.url : '', disposables)
    : UNREACHABLE_URL;
  const logged: string[] = [];
  const sink = { write: (line: string) => void logged.push(line) };
  const log = pino({ level: 'info', serializers: LOG_SERIALIZERS }, sink);
  const config = readConfig({
    API_BASE_URL: listener.url,
    DATABASE_URL: url,
    API_SECRET: 'a secret of thirty-two characters',
    SANDBOX_URL: sandboxUrl,
    STRIPE_REQUESTS_PER_SECOND: '10000', // Tests send many donations in one second.
    ...env,
  });
  const deps = createDeps(config, database, log);
  if (hosts) {
    const webhookOptions = {
      secret: config.loadOrCreateSecret(),
      baseUrl: listener.url,
      livemode: false,
    };
    deps.webhooks = createWebhooks({ ...webhookOptions, ...hosts });
  }
  const app = createApp(deps, createPages(config, database, deps));
  disposables.defer(() => deps.liveStreams.stop());
  const { webhooks } = deps;
  const { pool } = database;
  return {
    app,
    config,
    deps,
    db,
    pool,
    webhooks,
    url: listener.url,
    logged,
    sandboxUrl,
    /** Creates a visitor with a new browser, who can sign in as one of `DEMO_PEOPLE`. */
    visitor: () => new Visitor(listener.url),
    ...createCalls(app, db),
  };
}

/** URL without a server. A test that needs Stripe must start the sandbox. */
const UNREACHABLE_URL = 'http://127.0.0.1:9';

async function startServer(fetch: Parameters<typeof getRequestListener>[0]) {
  const listener = getRequestListener(fetch);
  // Without a timeout, because a client may use an idle connection at the moment at which it expires.
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void listener(request, response),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => server.close(() => done()));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function startSandbox(reportTo: string, disposables: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'connect-sandbox-'));
  disposables.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = readSandboxConfig({
    DATA_DIR: dataDir,
    SANDBOX_WEBHOOK_URL: reportTo && `${reportTo}/processor-events`,
  });
  const { url, stop } = await startSandboxServer({ ...config, port: 0 }, () => {});
  disposables.defer(stop);
  return url;
}

type Caller = readonly Scope[] | string;

/**
 * Returns functions that call the API, either with scopes, for which a new key is created, or with a
 * token.
 */
function createCalls(app: ReturnType<typeof createApp>, db: ReturnType<typeof openDatabase>['db']) {
  const createKey = async (
    scopes: readonly Scope[] = ALL_SCOPES,
    organizationId = DEMO_ORGANIZATION_ID,
  ) => await createApiKey(db, { organizationId, name: 'test', scopes });

  const addServerKey = async (organizationId = DEMO_ORGANIZATION_ID) =>
    await addApiKey(db, { organizationId, name: 'Server', scopes: ALL_SCOPES }, SERVER_KEY);

  const call = async (method: string, path: string, caller?: Caller, init: RequestInit = {}) => {
    const token = typeof caller === 'string' ? caller : caller && (await createKey(caller)).token;
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return await app.request(`/api/v1${path}`, { ...init, method, headers });
  };
  const get = (path: string, caller?: Caller, headers: Record<string, string> = {}) =>
    call('GET', path, caller, { headers });
  const post = (
    path: string,
    caller: Caller,
    body: unknown,
    headers: Record<string, string> = {},
  ) =>
    call('POST', path, caller, {
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { createKey, addServerKey, call, get, post };
}

/** Creates a Stripe client for the sandbox, with which tests read and change objects at Stripe. */
export const stripeAt = (sandboxUrl: string) => {
  const { hostname, port } = new URL(sandboxUrl);
  return new Stripe('sk_test_sandbox', {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
  });
};

/** Checks the envelope of an error response and returns its status, type and message. */
export async function readError(response: Response): Promise<string> {
  const { text, code, doc_url } = await readErrorEnvelope(response);
  if (response.headers.has('request-id')) assert.equal(doc_url?.split('#')[1], code);
  return text;
}

/** As `readError`, for a response of a backend-for-frontend, whose errors link to no documentation. */
export async function readServerError(response: Response): Promise<string> {
  return (await readErrorEnvelope(response)).text;
}

async function readErrorEnvelope(response: Response) {
  const { error, ...rest } = (await response.json()) as ErrorEnvelope;
  const { type, code, message, param, request_id, doc_url, ...unknown } = error;
  assert.deepEqual({ ...rest, ...unknown }, {}, 'the error body has an unknown member');
  assert.ok(Object.keys(ERROR_CODES[type]).includes(code), `${type} has no code ${code}`);
  if (param !== undefined) assert.ok(message.startsWith(`${param} `), message);
  const requestId = response.headers.get('request-id');
  if (requestId) assert.equal(request_id, requestId);
  return { text: `${response.status} ${type} ${message}`, code, doc_url };
}

/**
 * Timeout of `eventually`, generous for busy machines. The wait ends as soon as the check passes.
 */
const TIMEOUT_MS = 60_000;

/** Repeats a check until it returns a value, for effects in another process. */
export async function eventually<Value>(check: () => Promise<Value | undefined>): Promise<Value> {
  const deadlineMs = performance.now() + TIMEOUT_MS;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() > deadlineMs) throw new Error('It did not happen in a minute.');
    await new Promise((done) => setTimeout(done, 20));
  }
}
