import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Deps } from './deps.ts';
import type { Membership } from '@connect-embed/api/users/membership';

const COOKIE = 'connect_organization';

/**
 * Saves the organization that a person viewed last in a cookie, so that account pages and
 * `/dashboard` link back to it. The cookie grants no access: membership is checked on every
 * request.
 */
export const setCurrentOrganization = (
  c: Context,
  { baseUrl }: Pick<Deps, 'baseUrl'>,
  id: string,
) =>
  setCookie(c, COOKIE, id, {
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'Lax',
    secure: baseUrl.startsWith('https:'),
  });

/** Returns the organization that the person viewed last, if they are still a member. */
export function readCurrentOrganization<Each extends Membership>(
  c: Context,
  memberships: readonly Each[],
): Each | undefined {
  const organizationIdInCookie = getCookie(c, COOKIE);
  return memberships.find(({ organizationId }) => organizationId === organizationIdInCookie);
}
