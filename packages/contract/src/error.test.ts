import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectError, ERROR_STATUS, invalidRequest, notFound } from './error.ts';

test('the specification’s errors have the specification’s statuses', () => {
  assert.partialDeepStrictEqual(ERROR_STATUS, {
    invalid_request: 400,
    unauthorized: 401,
    insufficient_scope: 403,
    not_found: 404,
    rate_limited: 429,
  });
});

test('an error serializes to its envelope, without its cause', () => {
  const cause = new Error('password');
  const error = new ConnectError('rate_limited', 'Wait.', { cause, retryAfterSeconds: 7 });
  assert.equal(JSON.stringify(error), '{"error":{"type":"rate_limited","message":"Wait."}}');
  assert.equal(error.status, 429);
  assert.equal(error.retryAfterSeconds, 7);
  assert.equal(error.cause, cause);
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'ConnectError');
});

test('notFound and invalidRequest name the resource or the field', () => {
  assert.equal(notFound('fund', 'fund_1').message, 'No fund fund_1 in this organization.');
  assert.equal(invalidRequest('limit', 'is 0.').message, 'limit: is 0.');
});
