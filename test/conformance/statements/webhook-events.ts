import { testsIn, type Section } from './statement.ts';

export const webhookEvents: Section = {
  title: 'Events',
  statements: [
    {
      text: 'Webhook events are signed.',
      tests: [
        ...testsIn.signing('a signature › *'),
        ...testsIn.donationEvents('a donation › is sent once as a signed event that links to it'),
      ],
    },
    {
      text: 'Webhook events are thin: they contain the type and the id of the resource, not the resource.',
      tests: testsIn.signing('a webhook event › contains its type, resource and URL*'),
    },
    {
      text: '`donation.created` is sent when a donation is created.',
      tests: testsIn.donationEvents(
        'a donation › is sent once as a signed event that links to it',
        'a donation › that is declined is not sent',
      ),
    },
    {
      text: '`registration.created` is sent when a registration is confirmed, not when it is started.',
      tests: testsIn.registrations(
        'a registration › sends registration.created once, when it becomes confirmed',
      ),
    },
    {
      text: '`registration.refunded` is sent when a registration is refunded.',
      tests: testsIn.registrations(
        'a registration › paid outside Connect is marked refunded once, and registration.refunded is sent',
      ),
    },
    {
      text: 'Payout events are sent when a payout is created, when it is paid and when it fails.',
      tests: [
        ...testsIn.payoutEvents('a payout › is saved with its status and its donations*'),
        ...testsIn.payoutEvents('a payout › that failed sends payout.failed'),
        ...testsIn.webhooks('webhook endpoints › accept every event type'),
        ...testsIn.deliveries('deliveries › of a test event are signed and never livemode'),
      ],
    },
    {
      text: '`donation.created`, and every other event type, is accepted in `events`.',
      tests: testsIn.webhooks('webhook endpoints › accept every event type'),
    },
    {
      text: '`events` selects the event types that an endpoint receives.',
      tests: testsIn.deliveryWorker('* › is sent once to every endpoint with its type, and to no*'),
    },
    {
      text: 'The URL must use https and resolve to a public host; any other is rejected.',
      tests: [
        ...testsIn.publicHost('the rule for public hosts › rejects *', '* › accepts *'),
        ...testsIn.webhooks('webhook endpoints › are rejected with http'),
        ...testsIn.webhooks('webhook endpoints › are rejected with a private *'),
      ],
    },
    {
      text: 'rotate-secret creates a new secret; for 24 hours both sign, as several v1 signatures in one header.',
      tests: [
        ...testsIn.signing('a rotated secret › signs together with the new one for 24 hours'),
        ...testsIn.deliveries('a rotated secret › signs together with the new one'),
      ],
    },
    {
      text: 'A delivery has `status`, `attempts`, `last_response_status`, `last_error`, `next_attempt_at` and `delivered_at`.',
      tests: [
        ...testsIn.deliveries('deliveries › report the error*'),
        ...testsIn.system('* › has the fields of webhook_delivery, always present, and no other'),
      ],
    },
  ],
};
