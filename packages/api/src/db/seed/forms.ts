import {
  completeTerms,
  DONATION_BOUNDS_CENTS,
  type DonationTermsInput,
} from '@connect-embed/contract';
import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { daysAgo, FUNDS } from './organizations.ts';

/** The form through which the demonstration's donations on the website were made. */
export const WEBSITE_FORM_ID = 'form_website';

interface FormTemplate {
  id: string;
  slug: string;
  name: string;
  input: DonationTermsInput;
  createdDaysAgo: number;
  /** Absent for a draft. */
  publishedDaysAgo?: number;
}

const FORM_TEMPLATES: readonly FormTemplate[] = [
  {
    id: WEBSITE_FORM_ID,
    slug: 'website',
    name: 'Donate on our website',
    input: {
      frequencies: ['one_time', 'monthly'],
      preset_amounts_cents: [2500, 5000, 10_000, 25_000],
      preset_amounts_by_frequency: { monthly: [1000, 2500, 5000, 10_000] },
      default_amount_cents: 5000,
      min_amount_cents: 500,
      fee_cover: 'offered',
      fund_choice_ids: ['fund_general', 'fund_meals', 'fund_kitchen'],
    },
    createdDaysAgo: 550,
    publishedDaysAgo: 548,
  },
  {
    id: 'form_kitchen',
    slug: 'kitchen',
    name: 'A new mobile kitchen',
    input: {
      preset_amounts_cents: [5000, 10_000, 50_000],
      default_amount_cents: 10_000,
      fund_id: 'fund_kitchen',
      allow_dedication: true,
    },
    createdDaysAgo: 4,
  },
];

/** The forms of the food bank: one that is live, and one draft. */
export function createSeedForms(now: Date) {
  const forms: Insertable<Database['form']>[] = [];
  const versions: Insertable<Database['form_version']>[] = [];
  for (const { id, slug, name, input, createdDaysAgo, publishedDaysAgo } of FORM_TEMPLATES) {
    const terms = completeTerms(input, DONATION_BOUNDS_CENTS, FUNDS(now));
    const settings = JSON.stringify({ terms });
    const organization_id = 'org_harbor';
    const created_at = daysAgo(now, createdDaysAgo);
    forms.push({ id, organization_id, slug, name, draft: settings, created_at });
    if (publishedDaysAgo === undefined) continue;
    const published_at = daysAgo(now, publishedDaysAgo);
    versions.push({ organization_id, form_id: id, version: 1, settings, published_at });
  }
  return { forms, versions };
}

/** The website of the food bank. */
export const createSeedSites = (now: Date): Insertable<Database['allowed_site']>[] => [
  {
    id: 'site_website',
    organization_id: 'org_harbor',
    origin: 'https://www.harborstreet.example',
    created_at: daysAgo(now, 549),
  },
];
