import { ConnectError } from '@connect-embed/contract';
import { Hono } from 'hono';
import { allowOriginsToRead } from '../guard/require-allowed-origin.ts';
import type { Deps, Env } from '../deps.ts';

/**
 * `GET /forms`: slug and public name of the live forms, from which a plugin for a site builder lets people choose
 * (docs/decisions/0102-wordpress-and-site-requests.md).
 *
 * Public, because a plugin asks from its own server, without an origin.
 */
export const formListRoutes = (deps: Deps) => {
  const { sessions, setupLimits, address, config } = deps;
  return new Hono<Env>().get('/', allowOriginsToRead(deps), async (c) => {
    if (!config.listForms) throw notListedError();
    await setupLimits.consume(address(c));
    return c.json({ data: await sessions.list() });
  });
};

const notListedError = () =>
  new ConnectError(
    'forbidden',
    'This server does not list its forms ("listForms" in connect.config.ts). Enter the name of the form.',
    { code: 'forms_not_listed' },
  );
