import { SPECIFIED_SCOPES } from '../specification.ts';
import { testsIn, type Section } from './statement.ts';

export const apiKeys: Section = {
  title: 'API keys',
  statements: [
    {
      says: 'An owner or admin makes a key in the dashboard and chooses its scopes.',
      shownBy: testsIn.dashboard(
        'Developers › API keys › a key is shown once, works immediately and stops working when it is revoked',
        'Developers › API keys › an admin cannot grant a scope that they do not hold',
        'the dashboard › returns 404 to *',
      ),
    },
    {
      says: 'The key is shown once.',
      shownBy: testsIn.dashboard('Developers › API keys › a key is shown once*'),
    },
    {
      says: 'It starts with gb_live_.',
      shownBy: testsIn.dashboard('Developers › API keys › a key is shown once*'),
    },
    {
      says: 'It is kept hashed.',
      shownBy: testsIn.end('the database › contains no usable secret, code or token'),
    },
    {
      says: 'It is valid until it is revoked on the same page; from the next request on it is 401.',
      shownBy: [
        ...testsIn.dashboard('Developers › API keys › a key is shown once*'),
        ...testsIn.everyRoute('* › rejects a key from the first request after its revocation'),
        ...testsIn.processes('* › shares rate limits, keys and idempotency with every process*'),
      ],
    },
  ],
};

export const oauth: Section = {
  title: 'OAuth 2.0 authorization code flow',
  statements: [
    {
      says: 'An app belongs to its developer’s own account, not to an organization.',
      shownBy: testsIn.dashboard(
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
      ),
    },
    {
      says: 'Registering gives client_id and a client_secret that starts with gbs_, and sets redirect URIs.',
      shownBy: testsIn.dashboard(
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
      ),
    },
    {
      says: '`GET /authorize` takes response_type=code, client_id, redirect_uri, scope and state.',
      shownBy: testsIn.authorize(
        '* › redirects an approving owner to the callback with code, state and iss',
        '* › responds unsupported_response_type to a request for *',
        '* › responds invalid_scope to a request for *',
        '* › rejects a repeated parameter',
      ),
    },
    {
      says: 'The redirect URI is the registered one.',
      shownBy: testsIn.authorize('* › never redirects to *'),
    },
    {
      says: 'The admin signs in, chooses the organization and approves.',
      shownBy: testsIn.consent(
        'the consent page › describes the requested scopes in plain words and names the redirect host',
        'the consent page › lists only the organizations for which the person may approve',
      ),
    },
    {
      says: 'Only owners and admins of an organization can approve for it.',
      shownBy: testsIn.consent(
        'the consent page › lists only the organizations for which the person may approve',
        'the consent page › rejects an approval for an organization that is not listed',
      ),
    },
    {
      says: 'The service redirects to the callback with code and state.',
      shownBy: testsIn.authorize(
        '* › redirects an approving owner to the callback with code, state and iss',
      ),
    },
    {
      says: 'The code is exchanged at /token with grant_type, code, client_id, client_secret and redirect_uri in a form.',
      shownBy: [
        ...testsIn.tokens('redeeming a code › the specification’s own flow*'),
        ...testsIn.tokens('errors of POST /token (RFC 6749, 5.2) › rejects a JSON body'),
        ...testsIn.clients('*'),
      ],
    },
    {
      says: 'A refresh is grant_type=refresh_token with the gbr_ token, client_id and client_secret in a form.',
      shownBy: testsIn.tokens('refreshing › returns new tokens for the same organization'),
    },
    {
      says: 'The access token is opaque, starts with gba_ and ends after an hour.',
      shownBy: testsIn.tokens(
        'redeeming a code › the specification’s own flow*',
        'an access token › expires after an hour',
      ),
    },
    {
      says: 'It acts for the one organization that approved.',
      shownBy: testsIn.tokens('an access token › is bound to the organization that approved'),
    },
    {
      says: 'It is sent as a bearer exactly like an API key.',
      shownBy: testsIn.scopes('* › accepts access tokens with *'),
    },
    {
      says: 'The refresh token starts with gbr_ and lasts 30 days.',
      shownBy: testsIn.tokens(
        'redeeming a code › the specification’s own flow*',
        'refreshing › a refresh token lasts 30 days',
      ),
    },
    {
      says: 'There is a refresh token only when offline_access was asked for.',
      shownBy: testsIn.tokens('redeeming a code › returns no refresh token without offline_access'),
    },
    {
      says: 'Organizations list and revoke connected apps in the dashboard.',
      shownBy: testsIn.dashboard(
        'Developers › Connected apps › lists connected apps and revokes one immediately',
      ),
    },
    {
      says: 'Revoking an app for an organization ends its tokens for that organization at once.',
      shownBy: testsIn.end(
        'revoking an app for an organization › ends all its tokens and sessions there immediately, and none elsewhere',
      ),
    },
  ],
};

export const scopes: Section = {
  title: 'Scopes',
  statements: [
    {
      says: 'There are eight scopes, and offline_access beside them.',
      shownBy: testsIn.system('* › has the scopes and offline_access'),
    },
    ...SPECIFIED_SCOPES.map((scope) => ({
      says: `\`${scope}\` opens its routes, and no other scope opens them.`,
      shownBy: testsIn.scopes(
        `* › accepts API keys with ${scope}, and no other key`,
        `* › accepts access tokens with ${scope}, and no other`,
      ),
    })),
    {
      says: '`events:read` includes drafts; attendees need `registrations:read`.',
      shownBy: testsIn.events(
        'GET /events/{id} › returns a draft',
        'GET /events/{id}/registrations › requires registrations:read, not events:read',
      ),
    },
    {
      says: 'A credential acts only within its scopes.',
      shownBy: testsIn.scopes('* › accepts *'),
    },
    {
      says: 'It never exceeds what the member who granted it could do, also later.',
      shownBy: testsIn.end('a member who approved › *'),
    },
    {
      says: 'An admin grants only scopes whose permission they hold.',
      shownBy: [
        ...testsIn.dashboard(
          'Developers › API keys › an admin cannot grant a scope that they do not hold',
        ),
        ...testsIn.end('a member who approved › grants only the scopes that they hold'),
      ],
    },
    {
      says: 'A route whose scope is missing answers 403 `insufficient_scope`.',
      shownBy: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
  ],
};
