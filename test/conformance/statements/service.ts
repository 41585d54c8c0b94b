import { testsIn, type Section } from './statement.ts';

export const service: Section = {
  title: 'What the service does',
  statements: [
    {
      text: 'Every path starts with `/api/v1`.',
      tests: [
        ...testsIn.app(
          'ROUTES lists every route of the API',
          '* › is the error envelope for an unknown path',
        ),
      ],
    },
    {
      text: 'The paths of the OAuth endpoints start with `/api/auth/oauth2/`.',
      tests: testsIn.authorize(
        'the metadata (RFC 8414) › is served at the well-known path and names the issuer',
      ),
    },
    {
      text: 'Responses are JSON, and public URLs use https.',
      tests: [
        ...testsIn.properties('* › responds as documented to every request*'),
        ...testsIn.behindProxy('behind a proxy, URLs and cookies use API_BASE_URL'),
      ],
    },
    {
      text: 'A credential has access to the data of exactly one organization.',
      tests: [
        ...testsIn.app('a resource of another organization › *'),
        ...testsIn.tokens('an access token › is bound to the organization that approved'),
      ],
    },
    {
      text: 'The API returns donations, donors, payouts, events with their ticket types, registrations, campaigns, funds and the organization.',
      tests: [
        ...testsIn.lists(
          'GET /* › responds with the resources of the contract, and no other fields',
        ),
        ...testsIn.lists('GET /organization responds with the fields of the contract'),
      ],
    },
    {
      text: 'A payment intent pays into the organization’s own account at the processor.',
      tests: testsIn.paymentIntents("* › creates the intent on the organization's own account*"),
    },
    {
      text: 'Card data goes from the browser to the processor, never through the service.',
      tests: testsIn.badInput('* rejects a card number'),
    },
    {
      text: 'The API creates short-lived sessions for embedded forms and for read-only tables.',
      tests: [
        ...testsIn.embedSessions(
          'POST /embed-sessions › creates a session that is valid for an hour, also without a body',
        ),
        ...testsIn.componentSessions(
          'POST /component-sessions › creates a session that is valid for an hour',
        ),
      ],
    },
    {
      text: 'A credential manages its own webhook endpoints, rotates their secrets and lists deliveries.',
      tests: [
        ...testsIn.webhooks('webhook endpoints › are created, listed newest first, read, changed*'),
        ...testsIn.deliveries('a rotated secret › signs together with the new one'),
        ...testsIn.deliveries('deliveries › are listed newest first*'),
      ],
    },
    {
      text: 'The bearer token is an API key or an OAuth 2.0 access token; both work the same way.',
      tests: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
    {
      text: 'In the dashboard, which is not part of the API, owners and admins create API keys, register apps, and list and revoke connected apps.',
      tests: testsIn.dashboard(
        'Developers › API keys › a key is shown once, works immediately and stops working when it is revoked',
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
        'Developers › Connected apps › lists connected apps and revokes one immediately',
      ),
    },
  ],
};
