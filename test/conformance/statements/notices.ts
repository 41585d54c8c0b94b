import { shown, type Section } from './statement.ts';

export const notices: Section = {
  title: 'Events',
  statements: [
    {
      says: 'Notices are signed.',
      shownBy: [
        ...shown.sign('a signature › *'),
        ...shown.gift('a gift › is told once, signed, and points at the donation'),
      ],
    },
    {
      says: 'They are thin: they name what happened, and carry no records.',
      shownBy: shown.sign('a notice › says what happened, to what, and where to read it*'),
    },
    {
      says: '`donation.created` leaves when a donation is created.',
      shownBy: shown.gift(
        'a gift › is told once, signed, and points at the donation',
        'a gift › that is declined is not told',
      ),
    },
    {
      says: '`registration.created` leaves when a registration becomes confirmed, not when it is begun.',
      shownBy: shown.registrations('a registration › is told of when it becomes confirmed, once*'),
    },
    {
      says: '`registration.refunded` leaves when a registration is refunded.',
      shownBy: shown.registrations('a registration › that was paid outside is marked refunded*'),
    },
    {
      says: 'There are events of payouts too: when one is made, when it arrives, when it fails.',
      shownBy: [
        ...shown.payoutEvents(
          'a payout › is kept with its state and the gifts in it, and told once*',
        ),
        ...shown.payoutEvents('a payout › that fails says so'),
        ...shown.webhooks('webhook endpoints › take every event type of the catalog'),
        ...shown.deliveries('deliveries › of a test arrive signed, and are never livemode'),
      ],
    },
    {
      says: '`donation.created`, and every other type of the catalog, is accepted in `events`.',
      shownBy: shown.webhooks('webhook endpoints › take every event type of the catalog'),
    },
    {
      says: '`events` selects what an endpoint is sent.',
      shownBy: shown.deliver('* › goes once to every endpoint that asked for its type, and to no*'),
    },
    {
      says: 'The URL is https and resolves to a public host; any other is refused.',
      shownBy: [
        ...shown.publicHost('the rule for public hosts › refuses *', '* › takes *'),
        ...shown.webhooks('webhook endpoints › are refused with http'),
        ...shown.webhooks('webhook endpoints › are refused with a private *'),
      ],
    },
    {
      says: 'rotate-secret issues a new secret; for 24 hours both sign, as several v1 signatures in one header.',
      shownBy: [
        ...shown.sign('a rotated secret › signs together with the one before for 24 hours*'),
        ...shown.deliveries('a secret that is rotated › signs beside the new one'),
      ],
    },
    {
      says: 'Deliveries tell status, attempts, last_response_status, last_error, next_attempt_at and delivered_at.',
      shownBy: [
        ...shown.deliveries('deliveries › tell what went wrong*'),
        ...shown.house('* › has the fields of webhook_delivery, always present, and no other'),
      ],
    },
  ],
};
