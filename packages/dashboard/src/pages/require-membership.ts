import { notFound } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import { attackUntil } from '@connect-embed/api/payments/fraud/attack-mode';
import { countSiteRequests } from '@connect-embed/api/resources/allowed-sites/site-requests';
import { attackBanner } from './attack-banner.ts';
import { setCurrentOrganization } from './current-organization-cookie.ts';
import type { Deps } from './deps.ts';
import type { DashboardEnv } from './env.ts';
import { hasPermission } from './navigation.ts';

/**
 * Middleware that requires a member of the organization. It responds with the same 404 for an
 * unknown organization and for one of which the person is not a member.
 */
export const requireMembership = (deps: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const id = c.req.param('organization') ?? '';
    const { pageContext } = c.var;
    const organization = pageContext.memberships.find(
      ({ organizationId }) => organizationId === id,
    );
    if (!organization) {
      throw notFound('organization', id);
    }
    if (organization !== pageContext.organization) setCurrentOrganization(c, deps, id);
    c.set('organization', organization);
    const [attackEndsAt, siteRequests] = await Promise.all([
      attackUntil(deps.db, id),
      hasPermission(organization, 'admin') ? countSiteRequests(deps.db, id) : 0,
    ]);
    c.set('pageContext', {
      ...pageContext,
      organization,
      siteRequests,
      ...(attackEndsAt && { banner: attackBanner(attackEndsAt, organization.timeZone) }),
    });
    return await next();
  });
