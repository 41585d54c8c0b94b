import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../env.ts';
import { hashToken } from '../id.ts';

const LIFETIME_SECONDS = 180 * 86_400;
const PATH = '/sign-in';

/** One cookie for each account: people may share a browser. */
const nameFor = (email: string) =>
  `connect.device.${hashToken(normalized(email)).toString('hex').slice(0, 16)}`;
const isSecure = (baseUrl: string) => baseUrl.startsWith('https:');
const normalized = (email: string) => email.trim().toLowerCase();

/**
 * Remembers that somebody has signed in to this account with this browser, so that wrong passwords from
 * elsewhere do not lock it out (OWASP: "Slow Down Online Guessing Attacks with Device Cookies"). It opens
 * nothing: docs/decisions/0084-sign-in-limits.md
 */
export async function rememberDevice(
  c: Context,
  { devices, baseUrl }: Pick<Deps, 'devices' | 'baseUrl'>,
  email: string,
): Promise<void> {
  const device = { email: normalized(email), id: randomUUID() };
  setCookie(c, nameFor(email), await devices.seal(JSON.stringify(device)), {
    path: PATH,
    httpOnly: true,
    sameSite: 'Lax',
    ...(isSecure(baseUrl) && { secure: true, prefix: 'secure' }),
    maxAge: LIFETIME_SECONDS,
  });
}

/** @returns the id of the device; undefined for a browser that has not signed in to this account */
export async function knownDevice(
  c: Context,
  { devices, baseUrl }: Pick<Deps, 'devices' | 'baseUrl'>,
  email: string,
): Promise<string | undefined> {
  const name = nameFor(email);
  const sealed = isSecure(baseUrl) ? getCookie(c, name, 'secure') : getCookie(c, name);
  const text = sealed && (await devices.open(sealed));
  if (!text) return undefined;
  const device = JSON.parse(text) as { email: string; id: string };
  return device.email === normalized(email) ? device.id : undefined;
}
