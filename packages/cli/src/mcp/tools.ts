import type { Connect } from '@connect-embed/client';
import {
  DISPUTE_STATUSES,
  REFUND_STATUSES,
  SERIES_INTERVALS,
  type Component,
} from '@connect-embed/contract';
import { z } from 'zod';

/** The clients that tools read with. */
export interface Clients {
  /** For resources without personal data. */
  connect: Connect;
  /** For resources with personal data, which is masked unless the operator allows it. */
  personal: (component: Component) => Promise<Connect>;
}

interface Tool {
  name: string;
  description: string;
  inputSchema: z.ZodObject;
  /** @throws {ConnectError} */
  read(input: object, clients: Clients): Promise<unknown>;
}

/** Most resources of a page; a longer one would fill the model’s context. */
const MAX_LIMIT = 50;

const page = {
  limit: z.int().min(1).max(MAX_LIMIT).default(20),
  cursor: z.string().optional().describe('next_cursor of the previous page'),
};
const period = {
  created_from: z.iso.datetime({ offset: true }).optional().describe('inclusive'),
  created_to: z.iso.datetime({ offset: true }).optional().describe('exclusive'),
};
const search = { q: z.string().min(1).max(100).optional().describe('search text') };
const donationFilters = {
  ...period,
  ...search,
  fund_id: z.string().optional(),
  campaign_id: z.string().optional(),
  recurring: z.boolean().optional(),
  refund_status: z.enum(REFUND_STATUSES).optional(),
  dispute_status: z.enum(DISPUTE_STATUSES).optional(),
  amount_from_cents: z.int().optional(),
  amount_to_cents: z.int().optional(),
};

const tool = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  parameters: Shape,
  read: (input: z.infer<z.ZodObject<Shape>>, clients: Clients) => Promise<unknown>,
): Tool => ({ name, description, inputSchema: z.object(parameters), read });

const id = { id: z.string().min(1).max(100) };

export const TOOLS: readonly Tool[] = [
  tool(
    'list_donations',
    'Lists donations, newest first.',
    { ...page, ...donationFilters },
    async (input, { personal }) => (await personal('donations')).donations.list(input).page(),
  ),
  tool('get_donation', 'Reads a donation.', id, async ({ id }, { personal }) =>
    (await personal('donations')).donations.get(id),
  ),
  tool(
    'sum_donations',
    'Counts and sums donations, by currency.',
    donationFilters,
    async (input, { personal }) => (await personal('donations')).donations.summary(input),
  ),
  tool(
    'sum_donations_over_time',
    'Counts and sums donations by day, week, month or year.',
    { ...donationFilters, interval: z.enum(SERIES_INTERVALS).optional() },
    async (input, { personal }) => (await personal('donations')).donations.series(input),
  ),
  tool(
    'list_recurring_plans',
    'Lists recurring donations, newest first.',
    page,
    async (input, { personal }) => (await personal('donations')).recurringPlans.list(input).page(),
  ),
  tool('get_recurring_plan', 'Reads a recurring donation.', id, async ({ id }, { personal }) =>
    (await personal('donations')).recurringPlans.get(id),
  ),
  tool(
    'list_donors',
    'Lists donors, newest first.',
    { ...page, ...period, ...search },
    async (input, { personal }) => (await personal('donors')).donors.list(input).page(),
  ),
  tool('get_donor', 'Reads a donor.', id, async ({ id }, { personal }) =>
    (await personal('donors')).donors.get(id),
  ),
  tool('count_donors', 'Counts donors.', { ...period, ...search }, async (input, { personal }) =>
    (await personal('donors')).donors.summary(input),
  ),
  tool(
    'list_payouts',
    'Lists payouts to the bank account, newest first.',
    { ...page, ...period },
    async (input, { personal }) => (await personal('payouts')).payouts.list(input).page(),
  ),
  tool('get_payout', 'Reads a payout.', id, async ({ id }, { personal }) =>
    (await personal('payouts')).payouts.get(id),
  ),
  tool(
    'sum_payouts',
    'Counts and sums payouts, by currency.',
    period,
    async (input, { personal }) => (await personal('payouts')).payouts.summary(input),
  ),
  tool(
    'list_events',
    'Lists events with their ticket types, including drafts.',
    page,
    (input, { connect }) => connect.events.list(input).page(),
  ),
  tool('get_event', 'Reads an event.', id, ({ id }, { connect }) => connect.events.get(id)),
  tool('list_campaigns', 'Lists campaigns.', page, (input, { connect }) =>
    connect.campaigns.list(input).page(),
  ),
  tool(
    'get_campaign_progress',
    'Reads the amount that a campaign has raised.',
    id,
    ({ id }, { connect }) => connect.campaigns.progress(id),
  ),
  tool('list_funds', 'Lists funds.', page, (input, { connect }) =>
    connect.funds.list(input).page(),
  ),
  tool('list_forms', 'Lists donation forms.', page, (input, { connect }) =>
    connect.forms.list(input).page(),
  ),
  tool('get_form', 'Reads a donation form.', id, ({ id }, { connect }) => connect.forms.get(id)),
  tool('get_organization', 'Reads the organization.', {}, (_, { connect }) =>
    connect.organization.get(),
  ),
];
