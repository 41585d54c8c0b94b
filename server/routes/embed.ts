import { Hono } from 'hono';
import type { Deps, Env } from '../app.ts';
import { htmlErrorPages } from '../donation-page-error.ts';
import { requestedTheme } from '../embed-theme.ts';

/** A donor who follows the link now has at least so long to give. */
const MIN_SESSION_SECONDS = 1800;

/**
 * `GET /embed/{form}`: the lasting address of a form's hosted page, for links and for frames on sites
 * that run no script of ours. It leads to the page of the session that all visitors share, so a
 * visit costs no upstream call. `?theme=light`, `dark` or `auto` goes along, and what the form lets an
 * address fill in.
 */
export const embed = ({ sessions, config }: Deps) =>
  new Hono<Env>().use(htmlErrorPages(config.origins)).get('/:form', async (c) => {
    const { session, form } = await sessions.get(c.req.param('form'), MIN_SESSION_SECONDS);
    const frameAncestors = config.origins.join(' ') || "'none'";
    c.header('Content-Security-Policy', `default-src 'none'; frame-ancestors ${frameAncestors}`);
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
