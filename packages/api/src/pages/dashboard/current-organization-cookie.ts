import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Deps } from '../../env.ts';
import type { Membership } from '../../users/membership.ts';

const COOKIE = 'connect_organization';

/**
 * Keeps where a person is, so that pages about themselves still lead back there, and `/dashboard`
 * leads there again. It opens nothing: whoever is no member is not shown it.
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

/** Where they were last, if they still belong there. */
export function readCurrentOrganization(c: Context, memberships: readonly Membership[]) {
  const kept = getCookie(c, COOKIE);
  return memberships.find(({ organizationId }) => organizationId === kept);
}
