import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from '../specification.ts';
import { testsIn, type Section, type TestReference } from './statement.ts';

export const parameters: Section = {
  title: 'Common list query parameters',
  statements: [
    {
      says: 'Every endpoint needs `Authorization: Bearer <token>`.',
      shownBy: [
        ...testsIn.scopes('* › responds 401 without a credential'),
        ...testsIn.everyRoute(
          '* › rejects a token that is malformed, unknown or of another scheme',
        ),
      ],
    },
    {
      says: 'Bodies are JSON.',
      shownBy: testsIn.badInput(
        'every endpoint › rejects another content type',
        '* the API rejects half a body',
      ),
    },
    {
      says: 'An id in a path names a resource of the credential’s organization.',
      shownBy: testsIn.everyRoute(
        'a resource of another organization › is not found at *',
        'a malformed id › is not found: *',
      ),
    },
    {
      says: '`limit` is a whole number from 1 to 100, and 25 when it is left out.',
      shownBy: [
        ...testsIn.lists('* › has 25 rows on a page by default, and 1 to 100 with limit'),
        ...testsIn.parameters('* › responds 400 to every invalid limit, and names it'),
      ],
    },
    {
      says: '`cursor` is an opaque `next_cursor` of before.',
      shownBy: [
        ...testsIn.lists('a cursor › *'),
        ...testsIn.parameters('* › responds 400 to every invalid cursor, and names it'),
      ],
    },
    {
      says: '`updated_since` is an ISO-8601 lower bound on the time of creation.',
      shownBy: [
        ...testsIn.lists('* › starts at updated_since, inclusive'),
        ...testsIn.parameters('* › responds 400 to every invalid updated_since, and names it'),
      ],
    },
    {
      says: 'A bad limit, cursor or updated_since is 400 `invalid_request`.',
      shownBy: testsIn.parameters(
        '* › responds 400 to every invalid *',
        '* › responds 400 to a repeated parameter, and names it',
      ),
    },
    {
      says: 'Pages go on until `has_more` is false.',
      shownBy: testsIn.lists('GET /* › returns every row once, newest first'),
    },
  ],
};

/** Tests of an operation, in addition to those of all operations. */
const ALSO: Readonly<Record<string, readonly TestReference[]>> = {
  'GET /donations/{id}': testsIn.lists(
    'GET /donations › returns the same resource by id as in the list',
  ),
  'GET /donors/{id}': testsIn.lists('GET /donors › returns the same resource by id as in the list'),
  'GET /payouts/{id}': testsIn.lists(
    'GET /payouts › returns the same resource by id as in the list',
  ),
  'GET /events/{id}': testsIn.lists('GET /events › returns the same resource by id as in the list'),
  'GET /events/{id}/registrations': testsIn.lists('GET /events/event_gala/registrations › *'),
  'GET /organization': testsIn.lists('GET /organization responds with the fields of the contract'),
  'POST /payment-intents': testsIn.paymentIntents('POST /payment-intents › *'),
  'POST /embed-sessions': testsIn.embedSessions('POST /embed-sessions › *'),
  'POST /component-sessions': testsIn.componentSessions('POST /component-sessions › *'),
  'POST /webhooks': testsIn.webhooks('webhook endpoints › are rejected with *'),
  'PATCH /webhooks/{id}': testsIn.webhooks('webhook endpoints › reject an empty change*'),
  'DELETE /webhooks/{id}': testsIn.webhooks('webhook endpoints › are created, listed*'),
  'POST /webhooks/{id}/rotate-secret': testsIn.deliveries('a rotated secret › *'),
  'GET /webhooks/{id}/deliveries': testsIn.deliveries('deliveries › are listed newest first*'),
};

const words = ({ name, query, body, scope }: SpecifiedOperation): string =>
  [
    `\`${name}\``,
    query ? `takes ${query.join(', ')}` : '',
    body ? `takes ${body.join(', ')} in its body` : '',
    scope ? `needs ${scope}` : '',
  ]
    .filter(Boolean)
    .join('; ');

/** One row for each endpoint of the specification's two tables. */
export const operations: Section = {
  title: 'Endpoints',
  statements: SPECIFIED_OPERATIONS.map((operation) => ({
    says: words(operation),
    shownBy: [
      ...testsIn.system(`* › has ${operation.name}`),
      ...testsIn.scopes(`${operation.name.replace('{id}', ':id')} › *`),
      ...(ALSO[operation.name] ?? []),
    ],
  })),
};

export const details: Section = {
  title: 'Endpoints in detail',
  statements: [
    {
      says: 'There are these 22 operations; what is beyond them is marked.',
      shownBy: testsIn.system('* › has 22 operations of the specification; every other is marked*'),
    },
    {
      says: 'A resource that is absent is 404 in the envelope.',
      shownBy: testsIn.everyRoute('a resource of another organization › is not found at *'),
    },
    {
      says: 'Events carry their ticket types.',
      shownBy: testsIn.events('GET /events › contains each event’s ticket types, in order'),
    },
    {
      says: '`published` true shows only what is published, false only drafts.',
      shownBy: [
        ...testsIn.events('GET /events › filters by published*'),
        ...testsIn.parameters(
          'GET /events › responds 400 to every invalid published, and names it',
        ),
      ],
    },
    {
      says: '`upcoming` is true or absent, and shows what starts now or later.',
      shownBy: [
        ...testsIn.events('GET /events › filters by upcoming'),
        ...testsIn.parameters('GET /events › responds 400 to every invalid upcoming, and names it'),
      ],
    },
    {
      says: 'Registrations are filtered by each of the six statuses, and by nothing else.',
      shownBy: [
        ...testsIn.events('GET /events/{id}/registrations › filters by status *'),
        ...testsIn.parameters(
          'GET /events/{id}/registrations › responds 400 to every invalid status*',
        ),
      ],
    },
    {
      says: '`POST /embed-sessions` takes an empty body.',
      shownBy: testsIn.embedSessions(
        'POST /embed-sessions › creates a session that is valid for an hour, also without a body',
      ),
    },
    {
      says: 'The session fixes fund or campaign, preset or locked amounts, the recurring default and the prefill on the server.',
      shownBy: [
        ...testsIn.embedSessions(
          'GET /embed-sessions/current › returns the terms and data of the form',
        ),
        ...testsIn.paymentIntents('* with an embed session › applies the terms of the session'),
        ...testsIn.paymentIntents('* with an embed session › uses fund, campaign and source *'),
      ],
    },
    {
      says: 'A gift through a session is attributed to the app that opened it.',
      shownBy: testsIn.paymentIntents('* with an embed session › uses fund, campaign and source *'),
    },
    {
      says: '`PATCH /webhooks/{id}` changes what its body names, and has two kinds of refusal.',
      shownBy: testsIn.webhooks(
        'webhook endpoints › are created, listed*',
        'webhook endpoints › reject an empty change and a malformed id',
      ),
    },
    {
      says: '`DELETE /webhooks/{id}` answers with the id and `deleted: true`.',
      shownBy: testsIn.webhooks('webhook endpoints › are created, listed*'),
    },
    {
      says: 'A credential manages only the endpoints that it made.',
      shownBy: testsIn.webhooks('webhook endpoints › belong to their credential*'),
    },
    {
      says: 'Components are donations, donors and payouts; each needs the scope of what it shows.',
      shownBy: testsIn.componentSessions('POST /component-sessions › *'),
    },
  ],
};
