import type { Scope } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import { messagePage } from '@connect-embed/api/http/page-shell';
import type { DashboardEnv } from './env.ts';
import { hasPermission } from './navigation.ts';

/**
 * Middleware for pages that require a scope, or (`admin`) the role owner or admin. With `members`,
 * plain members, who hold no scopes, are admitted as well.
 *
 * Other members of the organization get a 403 page that explains why.
 */
export const requirePermission = (required: Scope | 'admin', { members = false } = {}) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const { organization } = c.var;
    const isAdmittedMember = members && organization.role === 'member';
    if (isAdmittedMember || hasPermission(organization, required)) return await next();
    const text =
      required === 'admin'
        ? `Only owners and admins of ${organization.organizationName} can do this.`
        : `You do not have the required permission at ${organization.organizationName}. An owner can grant it to you.`;
    const organizationPath = `/dashboard/${organization.organizationId}`;
    return c.html(
      messagePage('You do not have access', text, { href: organizationPath, text: 'Back' }),
      403,
    );
  });
