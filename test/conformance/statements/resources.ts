import { fieldTitle, RESOURCE_NAMES, SPECIFIED_FIELDS } from '../specification.ts';
import { testsIn, type Section } from './statement.ts';

export const resources: Section = {
  title: 'Resources',
  statements: [
    {
      text: 'Every resource has `object`, the name of its type, and every resource except the payment intent has an `id`.',
      tests: testsIn.system('* › a * has these fields and no other, and its object is *'),
    },
    {
      text: 'Times are ISO 8601 date-times.',
      tests: testsIn.system('* › *.* is a date-time'),
    },
    {
      text: 'Amounts are integers in cents.',
      tests: testsIn.system('* › *_cents is an integer'),
    },
    {
      text: 'A list has `data`, `has_more` and `next_cursor`.',
      tests: testsIn.system('every list › has data, has_more and next_cursor'),
    },
    {
      text: '`has_more` is true while there is another page; `next_cursor` is its `cursor`.',
      tests: testsIn.lists('GET /* › returns every row once, newest first'),
    },
    {
      text: '`GET /webhooks` returns `data` only.',
      tests: testsIn.system('every list › except GET /webhooks, which has data only'),
    },
    {
      text: 'An error is `{ error: { type, message } }`.',
      tests: [
        ...testsIn.badInput('POST /payment-intents › the API rejects *'),
        ...testsIn.contractErrors('an error becomes the response body, without its cause'),
      ],
    },
    {
      text: 'Drafts of events are returned too.',
      tests: testsIn.events(
        'GET /events › filters by published*',
        'GET /events/{id} › returns a draft',
      ),
    },
    {
      text: 'The status of a registration is pending, confirmed, cancelled, checked_in, waitlisted or refunded.',
      tests: testsIn.events('GET /events/{id}/registrations › filters by status *'),
    },
    {
      text: 'A registration contains no check-in code, no id of the processor and no tax field.',
      tests: [
        ...testsIn.events(
          'GET /events/{id}/registrations › contains no check-in code, processor id or tax field',
        ),
        ...testsIn.system('* › a registration has these fields and no other*'),
      ],
    },
    {
      text: 'The `secret` of a webhook endpoint is returned only by `POST /webhooks` and by rotate-secret.',
      tests: [
        ...testsIn.webhooks(
          'webhook endpoints › are created, listed*; the secret is returned once',
        ),
        ...testsIn.system('* › a webhook_endpoint has these fields and no other*'),
        ...testsIn.system('* › a webhook_endpoint_with_secret has these fields and no other*'),
      ],
    },
    {
      text: 'A payment intent contains everything that the processor’s card form needs.',
      tests: testsIn.paymentIntents('POST /payment-intents › returns what the card form needs'),
    },
    {
      text: 'The token of a component session is read-only, and browsers may send it.',
      tests: testsIn.componentSessions(
        'the token of a component session › reads its components, as lists and by id, and nothing else',
      ),
    },
    {
      text: 'A delivery can have the status `pending`.',
      tests: testsIn.deliveries('deliveries › report the error, and can be sent again*'),
    },
  ],
};

/** One row for each field of each resource. */
export const fields: Section = {
  title: 'Fields',
  statements: RESOURCE_NAMES.flatMap((name) =>
    Object.entries(SPECIFIED_FIELDS[name]).map(([field, type]) => ({
      text: `\`${name.replace('_with_secret', ' (with its secret)')}.${field}\`: ${type}`,
      tests: testsIn.system(
        `* › ${fieldTitle(name, field, type)}`,
        `* › has the fields of ${name}, always present, and no other`,
      ),
    })),
  ),
};
