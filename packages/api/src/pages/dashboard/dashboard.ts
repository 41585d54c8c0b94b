import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Deps, Env } from '../../app.ts';
import { membershipsOf, type Membership } from '../../users/membership.ts';
import { message } from '../layout.ts';
import { apiKeys } from './api-keys.ts';
import { apps } from './apps.ts';
import { connectedApps } from './connected-apps.ts';
import type { Place } from './frame.ts';

/** What the pages of the dashboard find beside what every handler finds. */
export interface DashboardEnv extends Env {
  Variables: Env['Variables'] & {
    place: Place;
    /** On pages of an organization: the one that is meant. */
    organization: Membership;
  };
}

/** Pages for people who are signed in; those of an organization for its owners and admins. */
export const dashboard = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .use('/dashboard/*', signedIn(deps))
    .get('/dashboard', (c) => {
      const [first] = c.var.place.memberships.filter(mayAdminister);
      return c.redirect(first ? homeOf(first.organizationId) : '/dashboard/apps', 303);
    })
    .route('/dashboard/apps', apps(deps))
    .use('/dashboard/:organization/*', ofOrganization)
    .get('/dashboard/:organization', (c) => c.redirect(homeOf(c.req.param('organization')), 303))
    .route('/dashboard/:organization/api-keys', apiKeys(deps))
    .route('/dashboard/:organization/connected-apps', connectedApps(deps));

const homeOf = (organizationId: string) => `/dashboard/${organizationId}/api-keys`;

const mayAdminister = ({ role }: Membership) => role !== 'member';

const signedIn = ({ db, people }: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const session = await people.whoIs(c.req.raw.headers);
    if (!session) {
      return c.redirect(`/sign-in?${new URLSearchParams({ next: c.req.path })}`, 303);
    }
    const { person } = session;
    const memberships = await membershipsOf(db, person.id);
    c.set('place', { person, memberships, path: c.req.path });
    return await next();
  });

/** One answer for an organization that is not there and one that is somebody else's. */
const ofOrganization = createMiddleware<DashboardEnv>(async (c, next) => {
  const id = c.req.param('organization');
  if (id === 'apps') return await next();
  const { place } = c.var;
  const organization = place.memberships.find(({ organizationId }) => organizationId === id);
  if (!organization || !mayAdminister(organization)) {
    const text = 'It is not there, or only its owners and admins can see it.';
    const home = { href: '/dashboard', text: 'To my dashboard' };
    return c.html(message('Nothing to see here', text, home), 404);
  }
  c.set('organization', organization);
  c.set('place', { ...place, organization });
  return await next();
});
