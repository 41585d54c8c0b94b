import { SPECIFIED_OPERATIONS, type SpecifiedOperation } from '../specification.ts';
import { testsIn, type Section, type TestReference } from './statement.ts';

export const parameters: Section = {
  title: 'Common list query parameters',
  statements: [
    {
      says: 'Every endpoint needs `Authorization: Bearer <token>`.',
      shownBy: [
        ...testsIn.scopes('* › answers 401 to whoever sends no credential'),
        ...testsIn.everyRoute('* › refuses a token that is garbled, unknown or of another kind'),
      ],
    },
    {
      says: 'Bodies are JSON.',
      shownBy: testsIn.badInput(
        'doors › another kind of body is refused',
        '* the API refuses half a body',
      ),
    },
    {
      says: 'An id in a path names a resource of the credential’s organization.',
      shownBy: testsIn.everyRoute(
        'what belongs to another organization › does not exist at *',
        'an id that is garbage › is not found: *',
      ),
    },
    {
      says: '`limit` is a whole number from 1 to 100, and 25 when it is left out.',
      shownBy: [
        ...testsIn.lists('* › has 25 on a page by default, and from 1 to 100 when asked'),
        ...testsIn.parameters('* › answers 400 to every bad limit, and names it'),
      ],
    },
    {
      says: '`cursor` is an opaque `next_cursor` of before.',
      shownBy: [
        ...testsIn.lists('a cursor › *'),
        ...testsIn.parameters('* › answers 400 to every bad cursor, and names it'),
      ],
    },
    {
      says: '`updated_since` is an ISO-8601 lower bound on the time of creation.',
      shownBy: [
        ...testsIn.lists('* › starts at updated_since, which is included'),
        ...testsIn.parameters('* › answers 400 to every bad updated_since, and names it'),
      ],
    },
    {
      says: 'A bad limit, cursor or updated_since is 400 `invalid_request`.',
      shownBy: testsIn.parameters(
        '* › answers 400 to every bad *',
        '* › answers 400 to a parameter that comes twice, and names it',
      ),
    },
    {
      says: 'Pages go on until `has_more` is false.',
      shownBy: testsIn.lists('GET /* › pages through everything once, newest first'),
    },
  ],
};

/** What shows an operation beside the rows that all of them have. */
const ALSO: Readonly<Record<string, readonly TestReference[]>> = {
  'GET /donations/{id}': testsIn.lists('GET /donations › gives by id the same as in the list'),
  'GET /donors/{id}': testsIn.lists('GET /donors › gives by id the same as in the list'),
  'GET /payouts/{id}': testsIn.lists('GET /payouts › gives by id the same as in the list'),
  'GET /events/{id}': testsIn.lists('GET /events › gives by id the same as in the list'),
  'GET /events/{id}/registrations': testsIn.lists('GET /events/event_gala/registrations › *'),
  'GET /organization': testsIn.lists('GET /organization answers with what the contract says'),
  'POST /payment-intents': testsIn.paymentIntents('POST /payment-intents › *'),
  'POST /embed-sessions': testsIn.embedSessions('POST /embed-sessions › *'),
  'POST /component-sessions': testsIn.componentSessions('POST /component-sessions › *'),
  'POST /webhooks': testsIn.webhooks('webhook endpoints › are refused with *'),
  'PATCH /webhooks/{id}': testsIn.webhooks('webhook endpoints › are refused an empty change*'),
  'DELETE /webhooks/{id}': testsIn.webhooks('webhook endpoints › are made, listed*'),
  'POST /webhooks/{id}/rotate-secret': testsIn.deliveries('a secret that is rotated › *'),
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
      shownBy: testsIn.everyRoute('what belongs to another organization › does not exist at *'),
    },
    {
      says: 'Events carry their ticket types.',
      shownBy: testsIn.events('GET /events › carries each event’s ticket types, in their order'),
    },
    {
      says: '`published` true shows only what is published, false only drafts.',
      shownBy: [
        ...testsIn.events('GET /events › shows what is not published*'),
        ...testsIn.parameters('GET /events › answers 400 to every bad published, and names it'),
      ],
    },
    {
      says: '`upcoming` is true or absent, and shows what starts now or later.',
      shownBy: [
        ...testsIn.events('GET /events › shows what is still to come, when asked'),
        ...testsIn.parameters('GET /events › answers 400 to every bad upcoming, and names it'),
      ],
    },
    {
      says: 'Registrations are filtered by each of the six statuses, and by nothing else.',
      shownBy: [
        ...testsIn.events('GET /events/{id}/registrations › shows those that are *, when asked'),
        ...testsIn.parameters('GET /events/{id}/registrations › answers 400 to every bad status*'),
      ],
    },
    {
      says: '`POST /embed-sessions` takes an empty body.',
      shownBy: testsIn.embedSessions(
        'POST /embed-sessions › opens an hour, and needs no body for it',
      ),
    },
    {
      says: 'The session fixes fund or campaign, preset or locked amounts, the recurring default and the prefill on the server.',
      shownBy: [
        ...testsIn.embedSessions('GET /embed-sessions/current › tells what to draw'),
        ...testsIn.paymentIntents('* under an embed session › holds a gift against the terms'),
        ...testsIn.paymentIntents('* under an embed session › takes fund, campaign and source *'),
      ],
    },
    {
      says: 'A gift through a session is attributed to the app that opened it.',
      shownBy: testsIn.paymentIntents(
        '* under an embed session › takes fund, campaign and source *',
      ),
    },
    {
      says: '`PATCH /webhooks/{id}` changes what its body names, and has two kinds of refusal.',
      shownBy: testsIn.webhooks(
        'webhook endpoints › are made, listed*',
        'webhook endpoints › are refused an empty change, and an id that cannot be one',
      ),
    },
    {
      says: '`DELETE /webhooks/{id}` answers with the id and `deleted: true`.',
      shownBy: testsIn.webhooks('webhook endpoints › are made, listed*'),
    },
    {
      says: 'A credential manages only the endpoints that it made.',
      shownBy: testsIn.webhooks('webhook endpoints › belong to the credential that made them*'),
    },
    {
      says: 'Components are donations, donors and payouts; each needs the scope of what it shows.',
      shownBy: testsIn.componentSessions('POST /component-sessions › *'),
    },
  ],
};
