import type { Context } from 'hono';

/** Path of the sign-in page, which leads to `next` afterwards. */
export const signInPath = (next: string) => `/sign-in?${new URLSearchParams({ next })}`;

/** Adds the cookies of a session to the response. */
export function addCookies(c: Context, cookies: Headers | undefined): void {
  for (const cookie of cookies?.getSetCookie() ?? [])
    c.header('Set-Cookie', cookie, { append: true });
}

export function redirectWith(c: Context, cookies: Headers, path: string) {
  addCookies(c, cookies);
  return c.redirect(path, 303);
}
