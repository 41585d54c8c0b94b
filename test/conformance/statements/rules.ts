import { testsIn, type Section } from './statement.ts';

export const errors: Section = {
  title: 'Errors',
  statements: [
    {
      says: 'Every answer that is not 2xx has the envelope.',
      shownBy: [
        ...testsIn.everyRoute('every answer › is the envelope where nothing is'),
        ...testsIn.properties('* › answers whatever comes as it says, and takes nothing*'),
        ...testsIn.garbage('no 5xx, whatever is sent › *'),
        ...testsIn.processes('* › answers bytes that are no HTTP in the envelope*'),
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
        ...testsIn.badInput('POST /payment-intents › the API refuses *'),
        ...testsIn.parameters('* › answers 400 to every bad *'),
      ],
    },
    {
      says: '401 `unauthorized`: the credential is missing, invalid, revoked or expired.',
      shownBy: [
        ...testsIn.scopes('* › answers 401 to whoever sends no credential'),
        ...testsIn.everyRoute('* › refuses a token that is garbled, unknown or of another kind'),
        ...testsIn.everyRoute('* › refuses a key from the request after it was revoked'),
        ...testsIn.tokens('an access token › expires after an hour'),
      ],
    },
    {
      says: '403 `insufficient_scope`: the message names the missing scope.',
      shownBy: testsIn.scopes('* › opens to API keys with *', '* › opens to access tokens with *'),
    },
    {
      says: '404 `not_found`: the resource does not exist in this organization.',
      shownBy: [
        ...testsIn.everyRoute('what belongs to another organization › does not exist at *'),
        ...testsIn.badInput("doors › another organization's donation does not exist"),
      ],
    },
    {
      says: '429 `rate_limited`: too many requests of this credential, with Retry-After.',
      shownBy: testsIn.everyRoute('* › stops at 120 requests in a minute, and says truly when*'),
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
        ...testsIn.everyRoute('* › stops at 120 requests in a minute, and says truly when*'),
        ...testsIn.processes('* › shares limits, keys and repetitions with every other*'),
      ],
    },
    {
      says: 'A page has 1 to 100 rows, and 25 by default.',
      shownBy: testsIn.lists('* › has 25 on a page by default, and from 1 to 100 when asked'),
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
        ...testsIn.embedSessions('POST /embed-sessions › opens an hour*'),
        ...testsIn.embedSessions('GET /embed-sessions/current › ends with the hour*'),
        ...testsIn.componentSessions('POST /component-sessions › opens an hour of reading'),
        ...testsIn.componentSessions('the token of a component session › ends with its hour'),
      ],
    },
    {
      says: 'After a rotation the old secret signs for 24 hours more.',
      shownBy: testsIn.sign('a rotated secret › signs together with the one before for 24 hours*'),
    },
  ],
};

export const versioning: Section = {
  title: 'Versioning',
  statements: [
    {
      says: 'The version is in the path, and v1 is the only one.',
      shownBy: testsIn.everyRoute('every answer › is the envelope where nothing is'),
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
