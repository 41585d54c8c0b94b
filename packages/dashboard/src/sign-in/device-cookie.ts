import { emailKey } from '@connect-embed/contract/email-address';
import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../pages/deps.ts';
import { hashToken } from '@connect-embed/api/lib/id';

const LIFETIME_SECONDS = 180 * 86_400;
const PATH = '/sign-in';

/**
 * Returns the cookie name for an account. Each account has its own cookie, because people may share
 * a browser.
 */
const cookieNameFor = (email: string) =>
  `connect.device.${hashToken(emailKey(email)).toString('hex').slice(0, 16)}`;
const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');

/**
 * Marks this browser as one from which the person has signed in to the account. Wrong passwords
 * from other browsers then do not lock this one out (OWASP: “Slow Down Online Guessing Attacks with
 * Device Cookies”). The cookie does not replace the password: docs/decisions/0084-sign-in-security.md
 */
export async function rememberDevice(
  c: Context,
  { deviceEncrypter, baseUrl }: Pick<Deps, 'deviceEncrypter' | 'baseUrl'>,
  email: string,
): Promise<void> {
  const device = { email: emailKey(email), id: randomUUID() };
  setCookie(c, cookieNameFor(email), await deviceEncrypter.encrypt(JSON.stringify(device)), {
    path: PATH,
    httpOnly: true,
    sameSite: 'Lax',
    ...(isSecure(baseUrl) && { secure: true, prefix: 'secure' }),
    maxAge: LIFETIME_SECONDS,
  });
}

/**
 * Reads the device cookie.
 *
 * @returns the device id; undefined if nobody has signed in to this account with this browser
 */
export async function readDeviceId(
  c: Context,
  { deviceEncrypter, baseUrl }: Pick<Deps, 'deviceEncrypter' | 'baseUrl'>,
  email: string,
): Promise<string | undefined> {
  const name = cookieNameFor(email);
  const encryptedDevice = isSecure(baseUrl) ? getCookie(c, name, 'secure') : getCookie(c, name);
  const text = encryptedDevice && (await deviceEncrypter.decrypt(encryptedDevice));
  if (!text) return undefined;
  const device = JSON.parse(text) as { email: string; id: string };
  return device.email === emailKey(email) ? device.id : undefined;
}
