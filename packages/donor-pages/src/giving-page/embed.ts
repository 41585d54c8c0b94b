import { frameAncestors } from '@connect-embed/contract/site-origin';
import { Hono } from 'hono';
import { parseFormName, type Env, type PageDeps } from '@connect-embed/server/pages';
import { requestedTheme } from '../page/theme.ts';
import { htmlErrorPages } from './embed-error.ts';

/**
 * Minimum remaining lifetime of the session, so that a donor who follows the link has time to
 * donate.
 */
const MIN_SESSION_SECONDS = 1800;

/**
 * `GET /embed/{form}`, on a platform also `/embed/{organization}/{form}`: the permanent URL of a form's
 * hosted page, for links and for frames on sites without our script. It redirects to the page of the
 * form's shared session, so a visit costs no API request. `?theme=light|dark|auto` and the form's
 * `prefill_from_url` fields are passed on.
 */
export const embedRoutes = ({ sessions, allowedOrigins }: PageDeps) =>
  new Hono<Env>().use(htmlErrorPages(allowedOrigins)).get('/:form{.+}', async (c) => {
    const name = c.req.param('form');
    const { session, form } = await sessions.get(name, MIN_SESSION_SECONDS);
    const sites = await allowedOrigins.list(parseFormName(name).organization);
    const ancestors = frameAncestors(sites, c.req.header('referer'));
    c.header('Content-Security-Policy', `default-src 'none'; frame-ancestors ${ancestors}`);
    c.header('Referrer-Policy', 'no-referrer');
    const query = new URLSearchParams();
    for (const key of form.terms.prefill_from_url) {
      const text = c.req.query(key);
      if (text) query.set(key, text);
    }
    const theme = requestedTheme(c);
    if (theme) query.set('theme', theme);
    return c.redirect(`${session.embed_url}${query.size ? '?' : ''}${query}`, 302);
  });
