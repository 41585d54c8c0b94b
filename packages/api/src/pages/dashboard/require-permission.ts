import type { Scope } from '@connect-embed/contract';
import { createMiddleware } from 'hono/factory';
import { message } from '../layout.ts';
import type { DashboardEnv } from './dashboard.ts';
import { hasPermission } from './navigation.ts';

/**
 * Shows the pages below to members who hold a permission, or (`admin`) to any owner or admin; where
 * `members`, to plain members as well, who hold none.
 *
 * Everybody else in the organization reads why they do not: they know that it exists.
 */
export const requirePermission = (required: Scope | 'admin', { members = false } = {}) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const { organization } = c.var;
    const asMember = members && organization.role === 'member';
    if (asMember || hasPermission(organization, required)) return await next();
    const text =
      required === 'admin'
        ? `Only owners and admins of ${organization.organizationName} can do this.`
        : `This takes a permission that you do not have at ${organization.organizationName}. An owner can give it to you.`;
    const home = `/dashboard/${organization.organizationId}`;
    return c.html(message('This is not open to you', text, { href: home, text: 'Back' }), 403);
  });
