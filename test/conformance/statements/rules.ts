import { testsIn, type Section } from './statement.ts';

export const errors: Section = {
  title: 'Errors',
  statements: [
    {
      text: 'Every response that is not 2xx has the error envelope.',
      tests: [
        ...testsIn.app('every response › is the error envelope for an unknown path'),
        ...testsIn.properties('* › responds as documented to every request*'),
        ...testsIn.malformedRequests('no 5xx for any request › *'),
        ...testsIn.apiProcess('* › responds to malformed HTTP with the error envelope'),
      ],
    },
    {
      text: '`type` is stable and for programs; `message` is for people.',
      tests: testsIn.contractErrors('the specification’s errors have the specification’s statuses'),
    },
    {
      text: '400 `invalid_request`: the body is malformed, or `limit`, `cursor` or `updated_since` is invalid.',
      tests: [
        ...testsIn.badInput('POST /payment-intents › the API rejects *'),
        ...testsIn.parameters('* › responds 400 to every invalid *'),
      ],
    },
    {
      text: '401 `unauthorized`: the credential is missing, invalid, revoked or expired.',
      tests: [
        ...testsIn.scopes('* › responds 401 without a credential'),
        ...testsIn.app('* › rejects a token that is malformed, unknown or of another scheme'),
        ...testsIn.app('* › rejects a key from the first request after its revocation'),
        ...testsIn.tokens('an access token › expires after an hour'),
      ],
    },
    {
      text: '403 `insufficient_scope`: the message names the missing scope.',
      tests: testsIn.scopes('* › accepts API keys with *', '* › accepts access tokens with *'),
    },
    {
      text: '404 `not_found`: the resource does not exist in this organization.',
      tests: [
        ...testsIn.app('a resource of another organization › is not found at *'),
        ...testsIn.badInput("every endpoint › another organization's donation does not exist"),
      ],
    },
    {
      text: '429 `rate_limited`: the credential has made too many requests; the response has `Retry-After`.',
      tests: testsIn.app('* › rejects request 121 within 60 seconds, with an accurate Retry-After'),
    },
  ],
};

export const limits: Section = {
  title: 'Limits',
  statements: [
    {
      text: 'Each credential can make 120 requests in 60 seconds; further ones get 429 with `Retry-After`.',
      tests: [
        ...testsIn.rateLimit('the rate limit › allows exactly 120 of 200 simultaneous requests'),
        ...testsIn.app('* › rejects request 121 within 60 seconds, with an accurate Retry-After'),
        ...testsIn.concurrentProcesses('* › pass exactly 120 of 200 requests of one credential'),
      ],
    },
    {
      text: 'A page has 1 to 100 rows, by default 25.',
      tests: testsIn.lists('* › has 25 rows on a page by default, and 1 to 100 with limit'),
    },
    {
      text: 'An access token is valid for an hour.',
      tests: testsIn.tokens('an access token › expires after an hour'),
    },
    {
      text: 'A refresh token is valid for 30 days.',
      tests: testsIn.tokens('refreshing › a refresh token lasts 30 days'),
    },
    {
      text: 'An embed session and a component session are valid for an hour.',
      tests: [
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
      text: 'After a rotation the old secret still signs for 24 hours.',
      tests: testsIn.signing('a rotated secret › signs together with the new one for 24 hours'),
    },
  ],
};

export const versioning: Section = {
  title: 'Versioning',
  statements: [
    {
      text: 'The version is in the path; `v1` is the only version.',
      tests: testsIn.app('every response › is the error envelope for an unknown path'),
    },
    {
      text: '`v1` has all operations of its first release and all that were added since.',
      tests: testsIn.system(
        '* › has GET *',
        '* › has POST *',
        '* › has PATCH *',
        '* › has DELETE *',
      ),
    },
  ],
};
