import { testsIn, type Section } from './statement.ts';

export const service: Section = {
  title: 'What the service does',
  statements: [
    {
      says: 'Every path lies below `/api/v1` of the base address.',
      shownBy: [
        ...testsIn.everyRoute(
          'ROUTES lists every route of the API',
          '* › is the error envelope for an unknown path',
        ),
      ],
    },
    {
      says: 'The OAuth endpoints lie below `/api/auth/oauth2/` of the base address.',
      shownBy: testsIn.authorize(
        'the metadata (RFC 8414) › is served at the well-known path and names the issuer',
      ),
    },
    {
      says: 'It answers in JSON, and to the outside it has an https address.',
      shownBy: [
        ...testsIn.properties('* › responds as documented to every request*'),
        ...testsIn.behindProxy('behind a proxy, URLs and cookies use API_BASE_URL'),
      ],
    },
    {
      says: 'A credential reaches the data of exactly one organization.',
      shownBy: [
        ...testsIn.everyRoute('a resource of another organization › *'),
        ...testsIn.tokens('an access token › is bound to the organization that approved'),
      ],
    },
    {
      says: 'It reads donations, donors, payouts, events with their ticket types, registrations, campaigns, funds and the organization.',
      shownBy: [
        ...testsIn.lists(
          'GET /* › responds with the resources of the contract, and no other fields',
        ),
        ...testsIn.lists('GET /organization responds with the fields of the contract'),
      ],
    },
    {
      says: 'A payment intent settles into the organization’s own account at the processor.',
      shownBy: testsIn.paymentIntents("* › creates the intent on the organization's own account*"),
    },
    {
      says: 'Card data goes from the browser to the processor, and never through the service.',
      shownBy: testsIn.badInput('* rejects the number of a card'),
    },
    {
      says: 'It opens short sessions for an embedded form and for read-only tables.',
      shownBy: [
        ...testsIn.embedSessions(
          'POST /embed-sessions › creates a session that is valid for an hour, also without a body',
        ),
        ...testsIn.componentSessions(
          'POST /component-sessions › creates a session that is valid for an hour',
        ),
      ],
    },
    {
      says: 'A credential manages its own webhook endpoints, rotates their secrets and lists deliveries.',
      shownBy: [
        ...testsIn.webhooks('webhook endpoints › are created, listed newest first, read, changed*'),
        ...testsIn.deliveries('a rotated secret › signs together with the new one'),
        ...testsIn.deliveries('deliveries › are listed newest first*'),
      ],
    },
    {
      says: 'The bearer is an API key or an OAuth 2.0 access token; both do the same.',
      shownBy: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
    {
      says: 'In the dashboard, which is no part of the API, owners and admins make API keys, register apps, and see and revoke connected apps.',
      shownBy: testsIn.dashboard(
        'Developers › API keys › a key is shown once, works immediately and stops working when it is revoked',
        'OAuth apps › a developer can register, update and delete an app and rotate its secret; nobody else can',
        'Developers › Connected apps › lists connected apps and revokes one immediately',
      ),
    },
  ],
};
