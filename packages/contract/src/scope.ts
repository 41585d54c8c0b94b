/** Every scope of the API with its description (spec: Scopes). */
export const SCOPES = {
  'donations:read': 'donation records, amounts, refunds, dispute status',
  'donors:read': 'donor contact records and their donation history',
  'payouts:read': "payouts deposited to the organization's bank account",
  'events:read': 'events including drafts, with ticket types, dates, capacity',
  'registrations:read': 'attendee records: names, emails, ticket, payment and check-in status',
  'reference:read': 'campaigns, funds and the public profile',
  'payments:write': "donation payment intents that settle to the organization's own account",
  'webhooks:write': "create, update and remove the credential's own webhook endpoints",
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);
