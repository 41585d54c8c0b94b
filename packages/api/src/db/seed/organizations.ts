import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';

const DAY_MS = 86_400_000;
export const daysAgo = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MS);
/** Returns midnight UTC, which stands for a date without a time, `days` days from now. */
const dateAt = (now: Date, days: number) => {
  const day = daysAgo(now, -days);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()));
};

export const LANTERN_FUND = 'fund_lantern';

export const ORGANIZATIONS = (now: Date): Insertable<Database['organization']>[] => [
  {
    id: 'org_harbor',
    name: 'Harbor Street Food Bank',
    slug: 'harbor-street',
    legal_name: 'Harbor Street Food Bank, Inc.',
    contact_email: 'hello@harborstreet.example',
    website: 'https://harborstreet.example',
    tax_id: '00-0000001',
    currency: 'usd',
    processor_account_id: 'acct_harbor_street',
    time_zone: 'America/New_York',
    receipt_note: 'No goods or services were given in return for this gift.',
    created_at: daysAgo(now, 560),
  },
  {
    id: 'org_lantern',
    name: 'Lantern Reading Room',
    slug: 'lantern',
    legal_name: null,
    contact_email: 'desk@lantern.example',
    website: null,
    tax_id: null,
    currency: 'usd',
    processor_account_id: 'acct_lantern',
    created_at: daysAgo(now, 130),
  },
];

/** A seed fund, with its times relative to today. */
interface FundTemplate extends Insertable<Database['fund']> {
  createdDaysAgo: number;
  archivedDaysAgo?: number;
}

const FUND_TEMPLATES: readonly FundTemplate[] = [
  {
    id: 'fund_general',
    organization_id: 'org_harbor',
    name: 'Where it is needed most',
    description: 'Keeps the shelves full and the doors open.',
    type: 'unrestricted',
    goal_cents: null,
    published: true,
    createdDaysAgo: 559,
  },
  {
    id: 'fund_meals',
    organization_id: 'org_harbor',
    name: 'Weekend meals for children',
    description: 'A bag of food every Friday for children who eat at school.',
    type: 'restricted',
    goal_cents: 6_000_000,
    published: true,
    createdDaysAgo: 558,
  },
  {
    id: 'fund_kitchen',
    organization_id: 'org_harbor',
    name: 'A new kitchen',
    description: 'Ovens, cold storage and a place to teach cooking.',
    type: 'restricted',
    goal_cents: 25_000_000,
    published: true,
    createdDaysAgo: 400,
  },
  {
    id: 'fund_endowment',
    organization_id: 'org_harbor',
    name: 'Harbor Street Endowment',
    description: null,
    type: 'endowment',
    goal_cents: null,
    published: false,
    createdDaysAgo: 300,
  },
  {
    id: 'fund_van',
    organization_id: 'org_harbor',
    name: 'Delivery van',
    description: 'It drives. Thank you.',
    type: 'restricted',
    goal_cents: 4_500_000,
    published: false,
    archivedDaysAgo: 210,
    createdDaysAgo: 540,
  },
  {
    id: LANTERN_FUND,
    organization_id: 'org_lantern',
    name: 'Books',
    description: null,
    type: 'unrestricted',
    goal_cents: null,
    published: true,
    createdDaysAgo: 129,
  },
];

export const FUNDS = (now: Date): Insertable<Database['fund']>[] =>
  FUND_TEMPLATES.map(({ createdDaysAgo, archivedDaysAgo, ...columns }) => ({
    ...columns,
    created_at: daysAgo(now, createdDaysAgo),
    ...(archivedDaysAgo !== undefined && { archived_at: daysAgo(now, archivedDaysAgo) }),
  }));

export type SeedCampaign = Insertable<Database['campaign']> & {
  id: string;
  start_date: Date;
  end_date: Date;
};

export const CAMPAIGNS = (now: Date): SeedCampaign[] => [
  {
    id: 'camp_winter',
    organization_id: 'org_harbor',
    slug: 'warm-winter',
    name: 'A Warm Winter',
    description: 'Ten thousand hot meals before the spring.',
    goal_cents: 5_000_000,
    is_active: true,
    start_date: dateAt(now, -45),
    end_date: dateAt(now, 75),
    created_at: daysAgo(now, 60),
  },
  {
    id: 'camp_kitchen',
    organization_id: 'org_harbor',
    slug: 'build-the-kitchen',
    name: 'Build the Kitchen',
    description: 'The first year of the new kitchen.',
    goal_cents: 12_000_000,
    is_active: true,
    start_date: dateAt(now, -380),
    end_date: dateAt(now, 20),
    created_at: daysAgo(now, 395),
  },
  {
    id: 'camp_harvest',
    organization_id: 'org_harbor',
    slug: 'harvest-supper',
    name: 'Harvest Supper',
    description: null,
    goal_cents: 2_000_000,
    is_active: false,
    start_date: dateAt(now, -420),
    end_date: dateAt(now, -360),
    created_at: daysAgo(now, 450),
  },
];
