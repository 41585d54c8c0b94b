import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../pages/deps.ts';
import { isSetupCookie, SETUP_PATH } from '@connect-embed/api/setup/setup-link';

const COOKIE = 'connect_setup';
const LIFETIME_SECONDS = 3600;

/** Allows this browser to create the account of the owner. */
export const setSetupCookie = (c: Context, { baseUrl }: Pick<Deps, 'baseUrl'>, token: string) =>
  setCookie(c, COOKIE, token, {
    path: SETUP_PATH,
    httpOnly: true,
    sameSite: 'Lax',
    secure: baseUrl.startsWith('https:'),
    maxAge: LIFETIME_SECONDS,
  });

export const hasSetupCookie = async (c: Context, { db }: Pick<Deps, 'db'>): Promise<boolean> =>
  await isSetupCookie(db, getCookie(c, COOKIE) ?? '');

export const deleteSetupCookie = (c: Context) => deleteCookie(c, COOKIE, { path: SETUP_PATH });
