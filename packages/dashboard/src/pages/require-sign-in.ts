import { createMiddleware } from 'hono/factory';
import { membershipsOf } from '@connect-embed/api/users/membership';
import { readCurrentOrganization } from './current-organization-cookie.ts';
import type { Deps } from './deps.ts';
import type { DashboardEnv } from './env.ts';
import { signInPath } from './sign-in-redirects.ts';
import { createRedirectWithFlash, readFlash } from './redirect-with-flash.ts';

/** Middleware that requires a signed-in person, and loads the context of the page. */
export const requireSignIn = (deps: Deps) =>
  createMiddleware<DashboardEnv>(async (c, next) => {
    const people = await deps.loadPeople();
    const person = await people.getPerson(c.req.raw.headers);
    if (!person) {
      // The query string is kept, because the URL of a filtered list can be shared.
      return c.redirect(signInPath(c.req.path + new URL(c.req.url).search), 303);
    }
    const memberships = await membershipsOf(deps.db, person.id, deps.processor.livemode);
    const flash = await readFlash(c, deps.flashEncrypter, person.id);
    c.set('redirectWithFlash', createRedirectWithFlash(c, deps, person.id));
    const organization = readCurrentOrganization(c, memberships);
    c.set('pageContext', {
      person,
      memberships,
      path: c.req.path,
      ...(organization && { organization }),
      ...(flash && { flash }),
    });
    return await next();
  });
