import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_CODES } from './error-codes.ts';
import { ConnectError, errorBody, invalidRequest, notFound, problemOf } from './error.ts';
import { ERROR_STATUS, statusOf } from './error-status.ts';

test('the specification’s errors have the specification’s statuses', () => {
  assert.partialDeepStrictEqual(ERROR_STATUS, {
    invalid_request: 400,
    unauthorized: 401,
    insufficient_scope: 403,
    not_found: 404,
    rate_limited: 429,
  });
});

test('an error becomes the response body, without its cause', () => {
  const cause = new Error('password');
  const error = new ConnectError('rate_limited', 'Wait.', { cause, retryAfterSeconds: 7 });
  assert.deepEqual(errorBody(error), {
    error: { type: 'rate_limited', code: 'rate_limited', message: 'Wait.' },
  });
  assert.equal(statusOf(error), 429);
  assert.equal(error.retryAfterSeconds, 7);
  assert.equal(error.cause, cause);
  assert.ok(error instanceof Error);
  assert.equal(error.name, 'ConnectError');
});

test('the response body names code, parameter, request and documentation', () => {
  const error = invalidRequest('limit', 'is required.', { code: 'parameter_missing' });
  const docUrl = 'https://api.example/docs/errors#parameter_missing';
  assert.deepEqual(errorBody(error, { requestId: 'req_1', docUrl }), {
    error: {
      type: 'invalid_request',
      code: 'parameter_missing',
      message: 'limit is required.',
      param: 'limit',
      request_id: 'req_1',
      doc_url: docUrl,
    },
  });
});

test('a received error keeps its request and documentation when it is forwarded', () => {
  const origin = { requestId: 'req_1', docUrl: 'https://api.example/docs/errors#conflict' };
  const { error } = errorBody(new ConnectError('conflict', 'No.', origin), { requestId: 'req_2' });
  assert.deepEqual([error.request_id, error.doc_url], ['req_2', origin.docUrl]);
});

test('notFound and invalidRequest name the resource or the parameter', () => {
  assert.equal(notFound('fund', 'fund_1').message, 'No fund fund_1 in this organization.');
  const error = invalidRequest('limit', 'is 0.');
  assert.equal(error.message, 'limit is 0.');
  assert.equal(problemOf(error), 'is 0.');
});

test('a code belongs to one type, except that of the type itself', () => {
  const codes = Object.values(ERROR_CODES).flatMap((ofType) => Object.keys(ofType));
  assert.equal(new Set(codes).size, codes.length);
});
