import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../../env.ts';
import type { Encrypter } from '../../encrypter.ts';
import type { FlashMessage } from './dashboard-layout.ts';

const COOKIE = 'connect_notice';
/** A redirect takes no longer; what was not fetched by then is not shown. */
const LIFETIME_SECONDS = 60;

/** Leads on after a form, to a page that says what it came to. */
export type RedirectWithFlash = (path: string, notice?: FlashMessage) => Promise<Response>;

/**
 * POST, redirect, GET: what a form came to travels in a sealed cookie and is shown once.
 *
 * Reloading the page repeats nothing, a secret is in no address and no history, and a link
 * that somebody made up cannot put words on a page.
 */
export const createRedirectWithFlash =
  (
    c: Context,
    { notices, baseUrl }: Pick<Deps, 'notices' | 'baseUrl'>,
    personId: string,
  ): RedirectWithFlash =>
  async (path, notice) => {
    if (notice) {
      const kept = { notice, personId, until: Date.now() + LIFETIME_SECONDS * 1000 };
      setCookie(c, COOKIE, await notices.encrypt(JSON.stringify(kept)), {
        path: '/dashboard',
        httpOnly: true,
        sameSite: 'Lax',
        secure: baseUrl.startsWith('https:'),
        maxAge: LIFETIME_SECONDS,
      });
    }
    return c.redirect(path, 303);
  };

/** The notice that a form left for this person's next page, which is this one. */
export async function readFlash(
  c: Context,
  seal: Encrypter,
  personId: string,
): Promise<FlashMessage | undefined> {
  const sealed = getCookie(c, COOKIE);
  // `/dashboard` itself only leads on: the page after it shows the notice.
  if (!sealed || c.req.method !== 'GET' || c.req.path === '/dashboard') return undefined;
  deleteCookie(c, COOKIE, { path: '/dashboard' });
  const text = await seal.decrypt(sealed);
  if (!text) return undefined;
  const kept = JSON.parse(text) as { notice: FlashMessage; personId: string; until: number };
  return kept.personId === personId && kept.until > Date.now() ? kept.notice : undefined;
}
