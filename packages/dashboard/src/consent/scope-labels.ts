import type { Scope } from '@connect-embed/contract';

/** Descriptions of the scopes for people without technical knowledge (spec: Scopes). */
export const SCOPE_LABELS: Record<Scope, { title: string; detail: string; canWrite?: true }> = {
  'donations:read': {
    title: 'See donations',
    detail: 'Amounts, dates, refunds and disputes, with donor names.',
  },
  'donors:read': {
    title: 'See donors',
    detail: 'Names, email and postal addresses, phone numbers and donations of each donor.',
  },
  'payouts:read': {
    title: 'See payouts',
    detail: 'Payouts to your bank account, with dates and amounts.',
  },
  'events:read': {
    title: 'See events',
    detail: 'Events with tickets, dates and locations, including drafts.',
  },
  'registrations:read': {
    title: 'See registrations',
    detail: 'Attendee names, email addresses, tickets, payments and check-ins.',
  },
  'reference:read': {
    title: 'See campaigns, funds and your public profile',
    detail: 'Shows their names in place of IDs.',
  },
  'payments:write': {
    title: 'Accept donations for you',
    detail: 'New donations are paid into your own account. Money cannot be moved out of it.',
    canWrite: true,
  },
  'webhooks:write': {
    title: 'Manage webhook endpoints',
    detail: 'Registers its own endpoints for webhook events about donations and registrations.',
    canWrite: true,
  },
};
