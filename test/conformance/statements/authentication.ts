import { SPECIFIED_SCOPES } from '../specification.ts';
import { testsIn, type Section } from './statement.ts';

export const apiKeys: Section = {
  title: 'API keys',
  statements: [
    {
      text: 'An owner or admin creates a key in the dashboard and chooses its scopes.',
      tests: testsIn.dashboard(
        'Developers › API keys › a key is shown once, works immediately and stops working when it is revoked',
        'Developers › API keys › an admin cannot grant a scope that they do not hold',
        'the dashboard › returns 404 to *',
      ),
    },
    {
      text: 'The key is shown once.',
      tests: testsIn.dashboard('Developers › API keys › a key is shown once*'),
    },
    {
      text: 'A key starts with `gb_live_`.',
      tests: testsIn.dashboard('Developers › API keys › a key is shown once*'),
    },
    {
      text: 'Only a hash of the key is stored.',
      tests: testsIn.credentialLifecycle('the database › contains no usable secret, code or token'),
    },
    {
      text: 'A key is valid until it is revoked on the same page; every later request with it gets 401.',
      tests: [
        ...testsIn.dashboard('Developers › API keys › a key is shown once*'),
        ...testsIn.app('* › rejects a key from the first request after its revocation'),
        ...testsIn.concurrentProcesses('* › all reject the next request with a revoked key'),
      ],
    },
  ],
};

export const oauth: Section = {
  title: 'OAuth 2.0 authorization code flow',
  statements: [
    {
      text: 'An app belongs to its developer’s account, not to an organization.',
      tests: testsIn.dashboard(
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
      ),
    },
    {
      text: 'Registering an app sets its redirect URIs and returns a `client_id` and a `client_secret` that starts with `gbs_`.',
      tests: testsIn.dashboard(
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
      ),
    },
    {
      text: '`GET /authorize` accepts `response_type=code`, `client_id`, `redirect_uri`, `scope` and `state`.',
      tests: testsIn.authorize(
        '* › redirects an approving owner to the callback with code, state and iss',
        '* › responds unsupported_response_type to a request for *',
        '* › responds invalid_scope to a request for *',
        '* › rejects a repeated parameter',
      ),
    },
    {
      text: 'The redirect URI must be a registered one.',
      tests: testsIn.authorize('* › never redirects to *'),
    },
    {
      text: 'The admin signs in, chooses the organization and approves.',
      tests: testsIn.consent(
        'the consent page › describes the requested scopes in plain words and names the redirect host',
        'the consent page › lists only the organizations for which the person may approve',
      ),
    },
    {
      text: 'Only owners and admins of an organization can approve for it.',
      tests: testsIn.consent(
        'the consent page › lists only the organizations for which the person may approve',
        'the consent page › rejects an approval for an organization that is not listed',
      ),
    },
    {
      text: 'The service redirects to the callback with `code` and `state`.',
      tests: testsIn.authorize(
        '* › redirects an approving owner to the callback with code, state and iss',
      ),
    },
    {
      text: 'The code is exchanged at `/token` with the form fields `grant_type`, `code`, `client_id`, `client_secret` and `redirect_uri`.',
      tests: [
        ...testsIn.tokens('redeeming a code › the specification’s own flow*'),
        ...testsIn.tokens('errors of POST /token (RFC 6749, 5.2) › rejects a JSON body'),
        ...testsIn.clients('*'),
      ],
    },
    {
      text: 'Tokens are refreshed with the form fields `grant_type=refresh_token`, `refresh_token`, `client_id` and `client_secret`.',
      tests: testsIn.tokens('refreshing › returns new tokens for the same organization'),
    },
    {
      text: 'The access token is opaque, starts with `gba_` and expires after an hour.',
      tests: testsIn.tokens(
        'redeeming a code › the specification’s own flow*',
        'an access token › expires after an hour',
      ),
    },
    {
      text: 'The access token acts for the organization that approved, and no other.',
      tests: testsIn.tokens('an access token › is bound to the organization that approved'),
    },
    {
      text: 'The access token is sent as a bearer token, exactly like an API key.',
      tests: testsIn.scopes('* › accepts access tokens with *'),
    },
    {
      text: 'The refresh token starts with `gbr_` and is valid for 30 days.',
      tests: testsIn.tokens(
        'redeeming a code › the specification’s own flow*',
        'refreshing › a refresh token lasts 30 days',
      ),
    },
    {
      text: 'A refresh token is issued only if `offline_access` was requested.',
      tests: testsIn.tokens('redeeming a code › returns no refresh token without offline_access'),
    },
    {
      text: 'Organizations list and revoke connected apps in the dashboard.',
      tests: testsIn.dashboard(
        'Developers › Connected apps › lists connected apps and revokes one immediately',
      ),
    },
    {
      text: 'Revoking an app for an organization immediately ends its tokens for that organization.',
      tests: testsIn.credentialLifecycle(
        'revoking an app for an organization › ends all its tokens and sessions there immediately, and none elsewhere',
      ),
    },
  ],
};

export const scopes: Section = {
  title: 'Scopes',
  statements: [
    {
      text: 'There are eight scopes, and `offline_access`.',
      tests: testsIn.system('* › has the scopes and offline_access'),
    },
    ...SPECIFIED_SCOPES.map((scope) => ({
      text: `\`${scope}\` gives access to its routes, and no other scope does.`,
      tests: testsIn.scopes(
        `* › accepts API keys with ${scope}, and no other key`,
        `* › accepts access tokens with ${scope}, and no other`,
      ),
    })),
    {
      text: '`events:read` includes drafts; reading attendees requires `registrations:read`.',
      tests: testsIn.events(
        'GET /events/{id} › returns a draft',
        'GET /events/{id}/registrations › requires registrations:read, not events:read',
      ),
    },
    {
      text: 'A credential can use only its scopes.',
      tests: testsIn.scopes('* › accepts *'),
    },
    {
      text: 'A credential never exceeds the permissions of the member who granted it, also if these change later.',
      tests: testsIn.credentialLifecycle('a member who approved › *'),
    },
    {
      text: 'An admin can grant only scopes for which they have the permission.',
      tests: [
        ...testsIn.dashboard(
          'Developers › API keys › an admin cannot grant a scope that they do not hold',
        ),
        ...testsIn.credentialLifecycle(
          'a member who approved › grants only the scopes that they hold',
        ),
      ],
    },
    {
      text: 'A request without the route’s scope gets 403 `insufficient_scope`.',
      tests: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
  ],
};
