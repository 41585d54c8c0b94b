import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from '../specification.ts';
import { testsIn, type Section, type TestReference } from './statement.ts';

export const parameters: Section = {
  title: 'Common list query parameters',
  statements: [
    {
      text: 'Every endpoint requires `Authorization: Bearer <token>`.',
      tests: [
        ...testsIn.scopes('* › responds 401 without a credential'),
        ...testsIn.app('* › rejects a token that is malformed, unknown or of another scheme'),
      ],
    },
    {
      text: 'Request bodies are JSON.',
      tests: testsIn.badInput(
        'every endpoint › rejects another content type',
        '* the API rejects malformed JSON',
      ),
    },
    {
      text: 'An id in a path identifies a resource of the credential’s organization.',
      tests: testsIn.app(
        'a resource of another organization › is not found at *',
        'a malformed id › is not found: *',
      ),
    },
    {
      text: '`limit` is an integer from 1 to 100; the default is 25.',
      tests: [
        ...testsIn.lists('* › has 25 rows on a page by default, and 1 to 100 with limit'),
        ...testsIn.parameters('* › responds 400 to every invalid limit, and names it'),
      ],
    },
    {
      text: '`cursor` is the opaque `next_cursor` of an earlier response.',
      tests: [
        ...testsIn.lists('a cursor › *'),
        ...testsIn.parameters('* › responds 400 to every invalid cursor, and names it'),
      ],
    },
    {
      text: '`updated_since` is an ISO 8601 lower bound of the creation time.',
      tests: [
        ...testsIn.lists('* › starts at updated_since, inclusive'),
        ...testsIn.parameters('* › responds 400 to every invalid updated_since, and names it'),
      ],
    },
    {
      text: 'An invalid `limit`, `cursor` or `updated_since` gets 400 `invalid_request`.',
      tests: testsIn.parameters(
        '* › responds 400 to every invalid *',
        '* › responds 400 to a repeated parameter, and names it',
      ),
    },
    {
      text: '`has_more` is false on the last page.',
      tests: testsIn.lists('GET /* › returns every row once, newest first'),
    },
  ],
};

/** Tests of an operation, in addition to those of all operations. */
const ADDITIONAL_TESTS: Readonly<Record<string, readonly TestReference[]>> = {
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

const describeOperation = ({ name, query, body, scope }: SpecifiedOperation): string =>
  [
    `\`${name}\``,
    query ? `accepts ${query.join(', ')}` : '',
    body ? `accepts ${body.join(', ')} in its body` : '',
    scope ? `requires ${scope}` : '',
  ]
    .filter(Boolean)
    .join('; ');

/** One row for each endpoint of the specification's two tables. */
export const operations: Section = {
  title: 'Endpoints',
  statements: SPECIFIED_OPERATIONS.map((operation) => ({
    text: describeOperation(operation),
    tests: [
      ...testsIn.system(`* › has ${operation.name}`),
      ...testsIn.scopes(`${operation.name.replace('{id}', ':id')} › *`),
      ...(ADDITIONAL_TESTS[operation.name] ?? []),
    ],
  })),
};

export const details: Section = {
  title: 'Endpoints in detail',
  statements: [
    {
      text: 'The API has the 22 operations above; a list names the additional ones.',
      tests: testsIn.system('* › has 22 operations of the specification, and those*'),
    },
    {
      text: 'A missing resource gets 404 with the error envelope.',
      tests: testsIn.app('a resource of another organization › is not found at *'),
    },
    {
      text: 'Events contain their ticket types.',
      tests: testsIn.events('GET /events › contains each event’s ticket types, in order'),
    },
    {
      text: '`published=true` returns only published events, `published=false` only drafts.',
      tests: [
        ...testsIn.events('GET /events › filters by published*'),
        ...testsIn.parameters(
          'GET /events › responds 400 to every invalid published, and names it',
        ),
      ],
    },
    {
      text: '`upcoming` is true or absent, and returns events that start now or later.',
      tests: [
        ...testsIn.events('GET /events › filters by upcoming'),
        ...testsIn.parameters('GET /events › responds 400 to every invalid upcoming, and names it'),
      ],
    },
    {
      text: 'Registrations can be filtered by each of the six statuses, and by nothing else.',
      tests: [
        ...testsIn.events('GET /events/{id}/registrations › filters by status *'),
        ...testsIn.parameters(
          'GET /events/{id}/registrations › responds 400 to every invalid status*',
        ),
      ],
    },
    {
      text: '`POST /embed-sessions` accepts an empty body.',
      tests: testsIn.embedSessions(
        'POST /embed-sessions › creates a session that is valid for an hour, also without a body',
      ),
    },
    {
      text: 'The server sets fund or campaign, preset or fixed amounts, the default frequency and prefilled fields of a session.',
      tests: [
        ...testsIn.embedSessions(
          'GET /embed-sessions/current › returns the terms and data of the form',
        ),
        ...testsIn.paymentIntents('* with an embed session › applies the terms of the session'),
        ...testsIn.paymentIntents('* with an embed session › uses fund, campaign and source *'),
      ],
    },
    {
      text: 'A donation through a session is attributed to the app that created the session.',
      tests: testsIn.paymentIntents('* with an embed session › uses fund, campaign and source *'),
    },
    {
      text: '`PATCH /webhooks/{id}` changes the fields of its body, and rejects an empty change and a malformed id.',
      tests: testsIn.webhooks(
        'webhook endpoints › are created, listed*',
        'webhook endpoints › reject an empty change and a malformed id',
      ),
    },
    {
      text: '`DELETE /webhooks/{id}` responds with the id and `deleted: true`.',
      tests: testsIn.webhooks('webhook endpoints › are created, listed*'),
    },
    {
      text: 'A credential manages only the webhook endpoints that it created.',
      tests: testsIn.webhooks('webhook endpoints › belong to their credential*'),
    },
    {
      text: 'Components are donations, donors and payouts; each requires the scope of its data.',
      tests: testsIn.componentSessions('POST /component-sessions › *'),
    },
  ],
};
