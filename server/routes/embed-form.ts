import { DEFAULT_FORM, FormQuery } from '@connect-embed/contract';
import { queryParams } from '@connect-embed/contract/hono';
import { Hono } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { formInQuery, rejectOtherSites } from '../guard/require-allowed-origin.ts';
import { sendSharedBody } from '../cache/shared-body.ts';

/**
 * `Cache-Control` of what all visitors of a form share. Together with the age of the server's own list of
 * forms (`cache/cached-resource.ts`), a change is shown within a minute.
 */
const FORM_CACHE_CONTROL = 'public, max-age=15';

/**
 * `GET /embed-form?form=meals`: what a page needs to draw the form (docs/decisions/0118-forms-from-caches.md).
 *
 * It is the same for all visitors and contains no token, so browsers and caches in front of this server
 * keep it. A page of a site that may not embed gets an error, so that its owner sees at once what is
 * missing.
 */
export const embedFormRoutes = (deps: Deps) =>
  new Hono<Env>().get(
    '/',
    rejectOtherSites(deps, formInQuery),
    queryParams(FormQuery),
    async (c) => {
      const { form = DEFAULT_FORM } = c.req.valid('query');
      const { publicForm } = await deps.sessions.get(form);
      return sendSharedBody(c, publicForm, { cacheControl: FORM_CACHE_CONTROL });
    },
  );
