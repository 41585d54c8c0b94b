import { createMiddleware } from 'hono/factory';
import { PROTECTED_ACTIONS_TEXT } from '@connect-embed/api/users/assert-second-factor';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { DashboardContext, DashboardEnv } from './env.ts';

/** Path of the page on which people turn on two-step sign-in. */
export const TWO_STEP_PATH = '/dashboard/account/two-step';

/**
 * Forms that change nothing outside of the session: searches, the preview of a draft, and the setup
 * of two-step sign-in itself.
 */
const OPEN_FORMS = [
  /^\/dashboard\/account\/two-step\/[\w-]+$/,
  /^\/dashboard\/[^/]+\/(donations\/|donors\/)?search$/,
  /^\/dashboard\/[^/]+\/forms\/[^/]+\/preview$/,
];

/**
 * Middleware for all pages. Without two-step sign-in, a member of an organization that requires it
 * can read pages, but cannot submit forms or save files with data: a stolen session must not do
 * anything that outlasts it or shuts others out. Every new form is protected, unless `OPEN_FORMS`
 * names it: docs/decisions/0084-sign-in-security.md
 */
export const requireSecondFactorToChange = createMiddleware<DashboardEnv>(async (c, next) => {
  const { method, path } = c.req;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOpen = isRead
    ? !path.endsWith('/export.csv')
    : OPEN_FORMS.some((pattern) => pattern.test(path));
  const organization = isOpen ? undefined : lackingIn(c);
  if (!organization) return await next();
  // The page with the form, because many forms are submitted to a path that is not a page.
  const page = URL.parse(c.req.header('referer') ?? '')?.pathname ?? path;
  return await redirectToSetup(c, organization, page);
});

/**
 * Middleware for pages that lead to a protected form. It asks for two-step sign-in before the member
 * fills the form in, instead of afterwards.
 */
export const requireSecondFactor = createMiddleware<DashboardEnv>(async (c, next) => {
  const organization = lackingIn(c);
  return organization ? await redirectToSetup(c, organization, c.req.path) : await next();
});

/**
 * Returns the organization that requires two-step sign-in of a person who has not turned it on: the
 * organization of the page, or on pages of the account any of the person's.
 */
function lackingIn(c: DashboardContext): MembershipWithSettings | undefined {
  const { person, memberships } = c.var.pageContext;
  if (person.hasSecondFactor) return undefined;
  const [, , id] = c.req.path.split('/');
  const ofPage = memberships.filter(({ organizationId }) => organizationId === id);
  return (ofPage.length > 0 ? ofPage : memberships).find(
    ({ requiresSecondFactor }) => requiresSecondFactor,
  );
}

/** Redirects to the setup page of two-step sign-in, which continues to `next` afterwards. */
function redirectToSetup(
  c: DashboardContext,
  { organizationName }: MembershipWithSettings,
  next: string,
): Promise<Response> {
  const text = `${organizationName} requires two-step sign-in for ${PROTECTED_ACTIONS_TEXT}. Set it up to continue.`;
  const query = new URLSearchParams({ next });
  return c.var.redirectWithFlash(`${TWO_STEP_PATH}?${query}`, { kind: 'problem', text });
}
