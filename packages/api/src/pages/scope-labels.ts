import type { Scope } from '@connect-embed/contract';

/** Descriptions of the scopes for people without technical knowledge (spec: Scopes). */
export const SCOPE_LABELS: Record<Scope, { title: string; detail: string; canWrite?: true }> = {
  'donations:read': {
    title: 'See donations',
    detail: 'Amounts, dates, refunds and disputes, with the names of the people who gave.',
  },
  'donors:read': {
    title: 'See donors',
    detail: 'Names, e-mail and postal addresses, phone numbers, and what each person has given.',
  },
  'payouts:read': {
    title: 'See payouts',
    detail: 'Deposits to your bank account, when they arrive and how much they are.',
  },
  'events:read': {
    title: 'See events',
    detail: 'Events and their tickets, dates and places, drafts included.',
  },
  'registrations:read': {
    title: 'See registrations',
    detail: 'Who attends: names, e-mail addresses, tickets, payments and check-ins.',
  },
  'reference:read': {
    title: 'See campaigns, funds and your public profile',
    detail: 'So that donations carry names instead of numbers.',
  },
  'payments:write': {
    title: 'Take donations for you',
    detail: 'New donations go to your own payment account. It cannot move money out.',
    canWrite: true,
  },
  'webhooks:write': {
    title: 'Be told when something happens',
    detail: 'It may register its own addresses for notices about donations and registrations.',
    canWrite: true,
  },
};
