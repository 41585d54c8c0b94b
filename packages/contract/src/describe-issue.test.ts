import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { validate } from './hono.ts';

const Body = z.strictObject({
  amount_cents: z.int().min(100).max(999).optional(),
  flag: z.boolean().optional(),
  name: z.string().min(1).max(3).optional(),
  email: z.email().optional(),
  origin: z.url().optional(),
  list: z
    .array(z.enum(['one', 'two']))
    .min(1)
    .max(2)
    .optional(),
  kind: z.literal('card').optional(),
  code: z.string().regex(/^\d$/).optional(),
  own: z.string().regex(/^\d$/, 'must be a digit.').optional(),
  terms: z.strictObject({ fund: z.string() }).optional(),
});

for (const [body, message] of [
  [{ amount_cents: '5' }, 'amount_cents must be a whole number.'],
  [{ amount_cents: 5.5 }, 'amount_cents must be a whole number.'],
  [{ amount_cents: 5 }, 'amount_cents must be at least 100.'],
  [{ amount_cents: 5000 }, 'amount_cents must be at most 999.'],
  [{ flag: 'yes' }, 'flag must be true or false.'],
  [{ name: 7 }, 'name must be a string.'],
  [{ name: null }, 'name must be a string.'],
  [{ name: '' }, 'name must not be empty.'],
  [{ name: 'four' }, 'name must have at most 3 characters.'],
  [{ email: 'x' }, 'email must be an email address.'],
  [{ origin: 'x' }, 'origin must be a URL.'],
  [{ list: 'one' }, 'list must be a list.'],
  [{ list: [] }, 'list must not be empty.'],
  [{ list: ['one', 'two', 'one'] }, 'list must have at most 2 items.'],
  [{ list: ['three'] }, 'list.0 must be one of one, two.'],
  [{ kind: 'cash' }, 'kind must be card.'],
  [{ code: 'x' }, 'code has an invalid format.'],
  [{ own: 'x' }, 'own must be a digit.'],
  [{ terms: 'x' }, 'terms must be an object.'],
  [{ terms: {} }, 'terms.fund is required.'],
  [{ terms: { fund: 'x', more: 1 } }, 'terms.more is not a known parameter.'],
  [{ more: 1 }, 'more is not a known parameter.'],
  ['text', 'body must be an object.'],
] as const) {
  test(`describes an invalid value: ${message}`, () => {
    assert.throws(() => validate(Body, body, 'body'), { type: 'invalid_request', message });
  });
}
