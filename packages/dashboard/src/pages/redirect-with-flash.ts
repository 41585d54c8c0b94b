import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from './deps.ts';
import type { Encrypter } from '@connect-embed/api/lib/encrypter';
import type { FlashMessage, RedirectWithFlash } from './env.ts';

const COOKIE = 'connect_flash';
/** Lifetime of the cookie, which needs to last only until the redirect is followed. */
const LIFETIME_SECONDS = 60;

/**
 * Creates the function that redirects after a form submission (Post/Redirect/Get). The result of
 * the form is stored in an encrypted cookie and shown once.
 *
 * Reloading the page does not repeat the action, a new secret is never in a URL or the browser
 * history, and a forged link cannot put text on a page.
 */
export const createRedirectWithFlash =
  (
    c: Context,
    { flashEncrypter, baseUrl }: Pick<Deps, 'flashEncrypter' | 'baseUrl'>,
    personId: string,
  ): RedirectWithFlash =>
  async (path, flash) => {
    if (flash) {
      const payload = { flash, expiresAtMs: Date.now() + LIFETIME_SECONDS * 1000 };
      setCookie(c, COOKIE, await flashEncrypter.encrypt(JSON.stringify(payload), personId), {
        path: '/dashboard',
        httpOnly: true,
        sameSite: 'Lax',
        secure: baseUrl.startsWith('https:'),
        maxAge: LIFETIME_SECONDS,
      });
    }
    return c.redirect(path, 303);
  };

/** Returns the flash message for this person and deletes its cookie. */
export async function readFlash(
  c: Context,
  flashEncrypter: Encrypter,
  personId: string,
): Promise<FlashMessage | undefined> {
  const ciphertext = getCookie(c, COOKIE);
  // `/dashboard` only redirects, so the page after the redirect shows the message.
  if (!ciphertext || c.req.method !== 'GET' || c.req.path === '/dashboard') return undefined;
  deleteCookie(c, COOKIE, { path: '/dashboard' });
  const text = await flashEncrypter.decrypt(ciphertext, personId);
  if (!text) return undefined;
  const { flash, expiresAtMs } = JSON.parse(text) as { flash: FlashMessage; expiresAtMs: number };
  return expiresAtMs > Date.now() ? flash : undefined;
}
