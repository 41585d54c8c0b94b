import { Hono, type Context } from 'hono';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import type { AccessRequest, NodeHttp } from '@connect-embed/api/oauth/authorization-server';
import { CONSENT_PATH } from '@connect-embed/api/oauth/paths';
import { PROTECTED_ACTIONS_TEXT } from '@connect-embed/api/users/assert-second-factor';
import { membershipsOf, type Membership } from '@connect-embed/api/users/membership';
import type { Person } from '@connect-embed/api/users/people';
import { consentView, type EligibleOrganization } from './consent-view.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { messagePage } from '@connect-embed/api/http/page-shell';
import { signInPath } from '../pages/sign-in-redirects.ts';

/**
 * `GET /consent/{uid}` shows a signed-in person the OAuth consent page, and `POST /consent/{uid}`
 * saves the decision (spec: OAuth 2.0 authorization code flow, 3).
 *
 * The path contains 256 random bits that only this browser received, and the signed cookie of the
 * OAuth library must name the same request. Another site can therefore neither guess nor submit
 * this form (CSRF).
 */
export const consentRoutes = (deps: Deps) =>
  new Hono<Env>()
    .get(`${CONSENT_PATH}/:uid`, (c) =>
      withAccessRequest(deps, c, async (request, person) => {
        const organizations = await findEligibleOrganizations(deps, request, person);
        return c.html(consentView({ request, person, organizations }));
      }),
    )
    .post(`${CONSENT_PATH}/:uid`, (c) =>
      withAccessRequest(deps, c, async (request, person) => {
        const field = await readForm(c);
        const nodeHttp = c.env as NodeHttp;
        const authorizationServer = await deps.loadAuthorizationServer();
        if (field('decision') !== 'approve') {
          return c.redirect(await authorizationServer.deny(nodeHttp), 303);
        }
        const organizations = await findEligibleOrganizations(deps, request, person);
        const organization = organizations.find(({ id }) => id === field('organization'));
        if (!organization) {
          const problem = 'Choose an organization.';
          return c.html(consentView({ request, person, organizations, problem }), 400);
        }
        if (organization.requiresSecondFactor && !person.hasSecondFactor) {
          const problem = `${organization.name} requires two-step sign-in for ${PROTECTED_ACTIONS_TEXT}. Turn it on under Account in the dashboard, then connect the app again.`;
          return c.html(consentView({ request, person, organizations, problem }), 403);
        }
        const { id: organizationId, scopes } = organization;
        const approval = { personId: person.id, organizationId, scopes };
        return c.redirect(await authorizationServer.approve(nodeHttp, request, approval), 303);
      }),
    );

/**
 * Loads the OAuth request and the signed-in person before `next` runs. An expired request gets
 * status 400, and a person who is not signed in is redirected to the sign-in page.
 */
async function withAccessRequest(
  { loadAuthorizationServer, loadPeople }: Deps,
  c: Context<Env, `${typeof CONSENT_PATH}/:uid`>,
  next: (request: AccessRequest, person: Person) => Promise<Response>,
): Promise<Response> {
  const nodeHttp = c.env as NodeHttp;
  const authorizationServer = await loadAuthorizationServer();
  const request = await authorizationServer.loadAccessRequest(nodeHttp, c.req.param('uid'));
  if (!request) {
    const text = 'Go back to the app and connect again.';
    return c.html(messagePage('This request has expired', text), 400);
  }
  const people = await loadPeople();
  const person = await people.getPerson(c.req.raw.headers);
  if (!person) return c.redirect(signInPath(c.req.path), 303);
  return await next(request, person);
}

/**
 * Lists the organizations where the person is an owner or admin and holds at least one requested
 * scope, sorted by name.
 */
async function findEligibleOrganizations(
  { db, processor }: Deps,
  request: AccessRequest,
  person: Person,
): Promise<(EligibleOrganization & { requiresSecondFactor: boolean })[]> {
  const scopesOf = ({ permissions }: Membership) =>
    request.scopes.filter((scope) => permissions.has(scope));
  return (await membershipsOf(db, person.id, processor.livemode))
    .map((membership) => ({
      id: membership.organizationId,
      name: membership.organizationName,
      scopes: scopesOf(membership),
      requiresSecondFactor: membership.requiresSecondFactor,
    }))
    .filter(({ scopes }) => scopes.length > 0);
}
