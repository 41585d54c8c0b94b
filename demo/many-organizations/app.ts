import { DatabaseSync } from 'node:sqlite';
import type { WebhookEvent } from '@connect-embed/client/webhooks';
import { Hono, type Context } from 'hono';
import { setSignedCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { sign } from 'hono/jwt';
import { parseSigned } from 'hono/utils/cookie';
import { createConnect } from './connect.ts';
import { openCustomers, type Customer } from './customers.ts';
import { createEvents, subscribe } from './events.ts';
import { connectPage, signInPage, tablesPage } from './pages.ts';
import type { Config } from './config.ts';

const COOKIE = 'customer';
const VIEWER_TOKEN_SECONDS = 600;

/** Creates a platform whose customers connect their organizations and see their donations: docs/platforms.md */
export function createPlatform(config: Config) {
  const database = new DatabaseSync(config.DATABASE_FILE);
  const customers = openCustomers(database);
  const received: string[] = [];

  const customerOf = async (request: Request) => {
    const cookies = request.headers.get('cookie') ?? '';
    return (await parseSigned(cookies, config.SESSION_SECRET, COOKIE))[COOKIE] || undefined;
  };
  const connect = createConnect(config, database, {
    customerOf,
    async onConnected(id, organization_id) {
      const token = await connect.accessToken(organization_id);
      const event_secret = await subscribe(config, organization_id, token);
      customers.save({ id, organization_id, event_secret });
    },
    onDisconnected: forget,
  });
  const end = async (organizationId: string) => {
    await connect.disconnect(organizationId);
    forget(organizationId);
  };
  function forget(organizationId: string) {
    const customer = customers.ofOrganization(organizationId);
    if (customer) customers.save({ id: customer.id, organization_id: null, event_secret: null });
  }
  const signIn = async (c: Context) => {
    const { customer } = await c.req.parseBody();
    await setSignedCookie(c, COOKIE, String(customer), config.SESSION_SECRET, {
      httpOnly: true,
      sameSite: 'Lax',
    });
    return c.redirect('/', 303);
  };
  const leave = async (c: Context) => {
    const id = await customerOf(c.req.raw);
    const organization = id && customers.open(id).organization_id;
    if (!organization) return c.redirect('/', 303);
    await end(organization);
    return c.redirect('/', 303);
  };
  const onEvent = async (customer: string, { type, organization_id }: WebhookEvent) => {
    received.push(`${customer}: ${type}`);
    if (type === 'connection.revoked') await end(organization_id);
  };

  return new Hono()
    .route('/', connect)
    .route('/events', createEvents(customers, onEvent))
    .use(csrf())
    .post('/sign-in', signIn)
    .post('/leave', leave)
    .get('/', async (c) => {
      const id = await customerOf(c.req.raw);
      if (!id) return c.html(signInPage());
      const customer = customers.open(id);
      if (!customer.organization_id) return c.html(connectPage(c.req.query('error')));
      const events = received.filter((line) => line.startsWith(`${id}: `));
      return c.html(tablesPage(config, customer, await viewerToken(customer), events));
    });

  /** Only the customer's own organization, so that no customer sees the donations of another. */
  function viewerToken({ id, organization_id }: Customer) {
    const claims = {
      sub: id,
      organization: organization_id,
      components: ['donations', 'payouts'],
      exp: Math.floor(Date.now() / 1000) + VIEWER_TOKEN_SECONDS,
    };
    return sign(claims, config.VIEWER_SECRET, 'HS256');
  }
}
