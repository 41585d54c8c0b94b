import type { Donor, DonorSummary } from '@connect-embed/contract';
import { firstPage, type Examples } from './example.ts';

const DONOR: Donor = {
  id: 'dnr_4kTzW9sMfPq2NvBxHy7R',
  object: 'donor',
  email: 'grace.mensah@example.org',
  first_name: 'Grace',
  last_name: 'Mensah',
  phone: '207-555-0142',
  city: 'Portland',
  state: 'ME',
  postal_code: '04101',
  country: 'US',
  source: 'embed',
  created_at: '2025-12-02T16:20:33.000Z',
  updated_at: '2026-11-20T18:42:07.315Z',
};

const SUMMARY: DonorSummary = { object: 'donor_summary', count: 12 };

export const DONOR_EXAMPLES: Examples = {
  listDonors: [{ parameters: { limit: 1, sort: 'name' }, response: firstPage([DONOR]) }],
  getDonor: [{ parameters: { id: DONOR.id }, response: DONOR }],
  countDonors: [{ parameters: { q: 'portland' }, response: SUMMARY }],
};
