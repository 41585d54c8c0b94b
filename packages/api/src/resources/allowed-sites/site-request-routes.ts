import { CreateAllowedSiteRequest } from '@connect-embed/contract';
import { jsonBody } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import { requireScope } from '../../auth/require-scope.ts';
import type { Env } from '../../http/env.ts';
import type { RequestDeps } from '../../payments/deps.ts';
import { requestSite } from './site-requests.ts';

/**
 * `POST /allowed-site-requests` asks the owners of the organization to allow a website. It is not in the
 * specification.
 *
 * Requires the scope with which the server opens embed sessions, whose `origins` can name the website
 * already.
 */
export const allowedSiteRequests = ({ db, baseUrl }: RequestDeps) =>
  new Hono<Env>().post(
    '/',
    requireScope('payments:write'),
    jsonBody(CreateAllowedSiteRequest),
    async (c) => {
      const { organization } = c.var.credential;
      const request = c.req.valid('json');
      return c.json(await requestSite(db, organization.id, request, `${baseUrl}/dashboard`));
    },
  );
