import { fieldTitle, RESOURCE_NAMES, SPECIFIED_FIELDS } from '../specification.ts';
import { testsIn, type Section } from './statement.ts';

export const resources: Section = {
  title: 'Resources',
  statements: [
    {
      says: 'Every resource has `object`, which names its kind, and every one but the payment intent an `id`.',
      shownBy: testsIn.system('* › a * has these fields and no other, and its object is *'),
    },
    {
      says: 'Times are ISO-8601 date-times.',
      shownBy: testsIn.system('* › *.* is a date-time'),
    },
    {
      says: 'Amounts are whole numbers of cents.',
      shownBy: testsIn.system('* › *_cents is an integer'),
    },
    {
      says: 'A list is `data`, `has_more` and `next_cursor`.',
      shownBy: testsIn.system('every list › has data, has_more and next_cursor'),
    },
    {
      says: '`has_more` is true while another page exists, and `next_cursor` fetches it as `cursor`.',
      shownBy: testsIn.lists('GET /* › returns every row once, newest first'),
    },
    {
      says: '`GET /webhooks` answers with `data` alone.',
      shownBy: testsIn.system('every list › except GET /webhooks, which has data only'),
    },
    {
      says: 'An error is `{ error: { type, message } }`.',
      shownBy: [
        ...testsIn.badInput('POST /payment-intents › the API rejects *'),
        ...testsIn.contractErrors('an error serializes to its envelope, without its cause'),
      ],
    },
    {
      says: 'Drafts of events are visible.',
      shownBy: testsIn.events(
        'GET /events › filters by published*',
        'GET /events/{id} › returns a draft',
      ),
    },
    {
      says: 'A registration is pending, confirmed, cancelled, checked_in, waitlisted or refunded.',
      shownBy: testsIn.events('GET /events/{id}/registrations › filters by status *'),
    },
    {
      says: 'A registration shows no check-in credential, no id of the processor and no tax field.',
      shownBy: [
        ...testsIn.events(
          'GET /events/{id}/registrations › contains no check-in code, processor id or tax field',
        ),
        ...testsIn.system('* › a registration has these fields and no other*'),
      ],
    },
    {
      says: 'The `secret` of an endpoint is in the answers to `POST /webhooks` and to rotate-secret only.',
      shownBy: [
        ...testsIn.webhooks(
          'webhook endpoints › are created, listed*; the secret is returned once',
        ),
        ...testsIn.system('* › a webhook_endpoint has these fields and no other*'),
        ...testsIn.system('* › a webhook_endpoint_with_secret has these fields and no other*'),
      ],
    },
    {
      says: 'A payment intent carries what the processor’s card form needs.',
      shownBy: testsIn.paymentIntents('POST /payment-intents › returns what the card form needs'),
    },
    {
      says: 'The token of a component session reads only, and browsers may send it.',
      shownBy: testsIn.componentSessions(
        'the token of a component session › reads its components, as lists and by id, and nothing else',
      ),
    },
    {
      says: '`pending` is a status of a delivery.',
      shownBy: testsIn.deliveries('deliveries › report the error, and can be sent again*'),
    },
  ],
};

/** One row for each field of each resource. */
export const fields: Section = {
  title: 'Fields',
  statements: RESOURCE_NAMES.flatMap((name) =>
    Object.entries(SPECIFIED_FIELDS[name]).map(([field, type]) => ({
      says: `\`${name.replace('_with_secret', ' (with its secret)')}.${field}\`: ${type}`,
      shownBy: testsIn.system(
        `* › ${fieldTitle(name, field, type)}`,
        `* › has the fields of ${name}, always present, and no other`,
      ),
    })),
  ),
};
