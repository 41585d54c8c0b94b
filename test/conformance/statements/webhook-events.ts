import { testsIn, type Section } from './statement.ts';

export const webhookEvents: Section = {
  title: 'Events',
  statements: [
    {
      says: 'Notices are signed.',
      shownBy: [
        ...testsIn.sign('a signature › *'),
        ...testsIn.gift('a donation › is sent once as a signed event that links to it'),
      ],
    },
    {
      says: 'They are thin: they name what happened, and carry no records.',
      shownBy: testsIn.sign('a webhook event › contains its type, resource and URL*'),
    },
    {
      says: '`donation.created` leaves when a donation is created.',
      shownBy: testsIn.gift(
        'a donation › is sent once as a signed event that links to it',
        'a donation › that is declined is not sent',
      ),
    },
    {
      says: '`registration.created` leaves when a registration becomes confirmed, not when it is begun.',
      shownBy: testsIn.registrations(
        'a registration › sends registration.created once, when it becomes confirmed',
      ),
    },
    {
      says: '`registration.refunded` leaves when a registration is refunded.',
      shownBy: testsIn.registrations(
        'a registration › paid outside Connect is marked refunded once, and registration.refunded is sent',
      ),
    },
    {
      says: 'There are events of payouts too: when one is made, when it arrives, when it fails.',
      shownBy: [
        ...testsIn.payoutEvents('a payout › is saved with its status and its donations*'),
        ...testsIn.payoutEvents('a payout › that failed sends payout.failed'),
        ...testsIn.webhooks('webhook endpoints › accept every event type'),
        ...testsIn.deliveries('deliveries › of a test event are signed and never livemode'),
      ],
    },
    {
      says: '`donation.created`, and every other type of the catalog, is accepted in `events`.',
      shownBy: testsIn.webhooks('webhook endpoints › accept every event type'),
    },
    {
      says: '`events` selects what an endpoint is sent.',
      shownBy: testsIn.deliver('* › is sent once to every endpoint with its type, and to no*'),
    },
    {
      says: 'The URL is https and resolves to a public host; any other is refused.',
      shownBy: [
        ...testsIn.publicHost('the rule for public hosts › rejects *', '* › accepts *'),
        ...testsIn.webhooks('webhook endpoints › are rejected with http'),
        ...testsIn.webhooks('webhook endpoints › are rejected with a private *'),
      ],
    },
    {
      says: 'rotate-secret issues a new secret; for 24 hours both sign, as several v1 signatures in one header.',
      shownBy: [
        ...testsIn.sign('a rotated secret › signs together with the new one for 24 hours'),
        ...testsIn.deliveries('a rotated secret › signs together with the new one'),
      ],
    },
    {
      says: 'Deliveries tell status, attempts, last_response_status, last_error, next_attempt_at and delivered_at.',
      shownBy: [
        ...testsIn.deliveries('deliveries › report the error*'),
        ...testsIn.system('* › has the fields of webhook_delivery, always present, and no other'),
      ],
    },
  ],
};
