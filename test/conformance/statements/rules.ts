import { testsIn, type Section } from './statement.ts';

export const errors: Section = {
  title: 'Errors',
  statements: [
    {
      says: 'Every answer that is not 2xx has the envelope.',
      shownBy: [
        ...testsIn.everyRoute('every response › is the error envelope for an unknown path'),
        ...testsIn.properties('* › responds as documented to every request*'),
        ...testsIn.garbage('no 5xx for any request › *'),
        ...testsIn.processes('* › responds to malformed HTTP with the error envelope'),
      ],
    },
    {
      says: '`type` is a stable word for programs, `message` is for people.',
      shownBy: testsIn.contractErrors(
        'the specification’s errors have the specification’s statuses',
      ),
    },
    {
      says: '400 `invalid_request`: a malformed body, or a bad limit, cursor or updated_since.',
      shownBy: [
        ...testsIn.badInput('POST /payment-intents › the API rejects *'),
        ...testsIn.parameters('* › responds 400 to every invalid *'),
      ],
    },
    {
      says: '401 `unauthorized`: the credential is missing, invalid, revoked or expired.',
      shownBy: [
        ...testsIn.scopes('* › responds 401 without a credential'),
        ...testsIn.everyRoute(
          '* › rejects a token that is malformed, unknown or of another scheme',
        ),
        ...testsIn.everyRoute('* › rejects a key from the first request after its revocation'),
        ...testsIn.tokens('an access token › expires after an hour'),
      ],
    },
    {
      says: '403 `insufficient_scope`: the message names the missing scope.',
      shownBy: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
    {
      says: '404 `not_found`: the resource does not exist in this organization.',
      shownBy: [
        ...testsIn.everyRoute('a resource of another organization › is not found at *'),
        ...testsIn.badInput("every endpoint › another organization's donation does not exist"),
      ],
    },
    {
      says: '429 `rate_limited`: too many requests of this credential, with Retry-After.',
      shownBy: testsIn.everyRoute(
        '* › rejects request 121 within 60 seconds, with an accurate Retry-After',
      ),
    },
  ],
};

export const limits: Section = {
  title: 'Limits',
  statements: [
    {
      says: '120 requests in 60 seconds for each credential; then 429 with Retry-After.',
      shownBy: [
        ...testsIn.rateLimit('the rate limit › allows exactly 120 of 200 simultaneous requests'),
        ...testsIn.everyRoute(
          '* › rejects request 121 within 60 seconds, with an accurate Retry-After',
        ),
        ...testsIn.processes('* › shares rate limits, keys and idempotency with every process*'),
      ],
    },
    {
      says: 'A page has 1 to 100 rows, and 25 by default.',
      shownBy: testsIn.lists('* › has 25 rows on a page by default, and 1 to 100 with limit'),
    },
    {
      says: 'An access token lives an hour.',
      shownBy: testsIn.tokens('an access token › expires after an hour'),
    },
    {
      says: 'A refresh token lives 30 days.',
      shownBy: testsIn.tokens('refreshing › a refresh token lasts 30 days'),
    },
    {
      says: 'An embed session and a component session live an hour.',
      shownBy: [
        ...testsIn.embedSessions(
          'POST /embed-sessions › creates a session that is valid for an hour*',
        ),
        ...testsIn.embedSessions('GET /embed-sessions/current › expires after an hour*'),
        ...testsIn.componentSessions(
          'POST /component-sessions › creates a session that is valid for an hour',
        ),
        ...testsIn.componentSessions('the token of a component session › expires after an hour'),
      ],
    },
    {
      says: 'After a rotation the old secret signs for 24 hours more.',
      shownBy: testsIn.sign('a rotated secret › signs together with the new one for 24 hours'),
    },
  ],
};

export const versioning: Section = {
  title: 'Versioning',
  statements: [
    {
      says: 'The version is in the path, and v1 is the only one.',
      shownBy: testsIn.everyRoute('every response › is the error envelope for an unknown path'),
    },
    {
      says: 'v1 as it shipped, and all that was added to it since, is there.',
      shownBy: testsIn.system(
        '* › has GET *',
        '* › has POST *',
        '* › has PATCH *',
        '* › has DELETE *',
      ),
    },
  ],
};
