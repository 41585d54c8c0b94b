import { testsIn, type Section } from './statement.ts';

export const webhookEvents: Section = {
  title: 'Events',
  statements: [
    {
      says: 'Notices are signed.',
      shownBy: [
        ...testsIn.sign('a signature › *'),
        ...testsIn.gift('a gift › is told once, signed, and points at the donation'),
      ],
    },
    {
      says: 'They are thin: they name what happened, and carry no records.',
      shownBy: testsIn.sign('a notice › says what happened, to what, and where to read it*'),
    },
    {
      says: '`donation.created` leaves when a donation is created.',
      shownBy: testsIn.gift(
        'a gift › is told once, signed, and points at the donation',
        'a gift › that is declined is not told',
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
        ...testsIn.payoutEvents(
          'a payout › is kept with its state and the gifts in it, and told once*',
        ),
        ...testsIn.payoutEvents('a payout › that fails says so'),
        ...testsIn.webhooks('webhook endpoints › take every event type of the catalog'),
        ...testsIn.deliveries('deliveries › of a test arrive signed, and are never livemode'),
      ],
    },
    {
      says: '`donation.created`, and every other type of the catalog, is accepted in `events`.',
      shownBy: testsIn.webhooks('webhook endpoints › take every event type of the catalog'),
    },
    {
      says: '`events` selects what an endpoint is sent.',
      shownBy: testsIn.deliver(
        '* › goes once to every endpoint that asked for its type, and to no*',
      ),
    },
    {
      says: 'The URL is https and resolves to a public host; any other is refused.',
      shownBy: [
        ...testsIn.publicHost('the rule for public hosts › refuses *', '* › takes *'),
        ...testsIn.webhooks('webhook endpoints › are refused with http'),
        ...testsIn.webhooks('webhook endpoints › are refused with a private *'),
      ],
    },
    {
      says: 'rotate-secret issues a new secret; for 24 hours both sign, as several v1 signatures in one header.',
      shownBy: [
        ...testsIn.sign('a rotated secret › signs together with the one before for 24 hours*'),
        ...testsIn.deliveries('a secret that is rotated › signs beside the new one'),
      ],
    },
    {
      says: 'Deliveries tell status, attempts, last_response_status, last_error, next_attempt_at and delivered_at.',
      shownBy: [
        ...testsIn.deliveries('deliveries › tell what went wrong*'),
        ...testsIn.system('* › has the fields of webhook_delivery, always present, and no other'),
      ],
    },
  ],
};
