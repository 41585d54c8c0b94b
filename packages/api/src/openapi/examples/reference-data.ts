import type {
  AllowedSite,
  AllowedSiteRequest,
  Campaign,
  CampaignProgress,
  Form,
  Fund,
  Organization,
} from '@connect-embed/contract';
import { firstPage, ORGANIZATION_ID, type Examples } from './example.ts';

const CAMPAIGN: Campaign = {
  id: 'camp_winter',
  object: 'campaign',
  slug: 'warm-winter',
  name: 'A Warm Winter',
  description: 'Ten thousand hot meals before the spring.',
  goal_cents: 5_000_000,
  is_active: true,
  start_date: '2026-10-09T00:00:00.000Z',
  end_date: '2027-02-06T00:00:00.000Z',
  created_at: '2026-09-24T09:00:00.000Z',
};

const PROGRESS: CampaignProgress = {
  object: 'campaign_progress',
  campaign_id: CAMPAIGN.id,
  name: CAMPAIGN.name,
  currency: 'usd',
  goal_cents: 5_000_000,
  raised_cents: 1_284_300,
};

const FORM: Form = {
  id: 'form_website',
  object: 'form',
  slug: 'website',
  name: 'Donate on our website',
  status: 'live',
  version: 3,
  published_at: '2026-10-09T08:30:00.000Z',
  campaign_id: null,
  livemode: true,
  created_at: '2026-09-24T09:00:00.000Z',
  page: {
    title: 'A warm meal for every child',
    description: 'With $25, a family eats for a week.',
    story:
      'We cook in four kitchens.\n\nRead about them: https://www.harborstreet.example/kitchens',
    picture: {
      url: 'https://api.connect.example/form-pictures/org_harbor/8tYw2cRk0dVn5qLhZxJ1Ma',
      width: 1600,
      height: 1067,
      alt: 'Volunteers fill lunch boxes.',
    },
    is_indexable: true,
    is_listed: true,
  },
};

const SITE: AllowedSite = {
  id: 'site_website',
  object: 'allowed_site',
  origin: 'https://www.harborstreet.example',
  created_at: '2025-05-24T09:00:00.000Z',
};

const FUND: Fund = {
  id: 'fund_meals',
  object: 'fund',
  name: 'Weekend meals for children',
  description: 'A bag of food every Friday for children who eat at school.',
  type: 'restricted',
  goal_cents: 6_000_000,
  published: true,
  created_at: '2025-05-14T09:00:00.000Z',
};

const ORGANIZATION: Organization = {
  id: ORGANIZATION_ID,
  object: 'organization',
  name: 'Harbor Street Food Bank',
  slug: 'harbor-street',
  legal_name: 'Harbor Street Food Bank, Inc.',
  contact_email: 'hello@harborstreet.example',
  website: 'https://harborstreet.example',
  tax_id: '00-0000001',
  logo_url: null,
  created_at: '2025-05-12T09:00:00.000Z',
};

export const REFERENCE_DATA_EXAMPLES: Examples = {
  listCampaigns: [{ parameters: { limit: 1 }, response: firstPage([CAMPAIGN]) }],
  getCampaignProgress: [{ parameters: { id: CAMPAIGN.id }, response: PROGRESS }],
  listAllowedSites: [{ parameters: { limit: 1 }, response: firstPage([SITE]) }],
  createAllowedSiteRequest: [
    {
      body: { origin: 'https://blog.harborstreet.example' },
      response: {
        object: 'allowed_site_request',
        origin: 'https://blog.harborstreet.example',
        status: 'pending',
      } satisfies AllowedSiteRequest,
    },
  ],
  listForms: [{ parameters: { limit: 1 }, response: firstPage([FORM]) }],
  getForm: [{ parameters: { id: FORM.id }, response: FORM }],
  listFunds: [{ parameters: { limit: 1 }, response: firstPage([FUND]) }],
  getOrganization: [{ response: ORGANIZATION }],
};
