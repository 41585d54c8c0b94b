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

const CSV = [
  'Donor ID,First name,Last name,Email,Phone,City,State,Postal code,Country,Donations,Currency,Gross,Refunded,Disputed,' +
    'Total after refunds and disputes,Last donation (America/New_York),Since (America/New_York),' +
    'Last change (America/New_York),Source',
  'dnr_4kTzW9sMfPq2NvBxHy7R,Grace,Mensah,grace.mensah@example.org,207-555-0142,Portland,ME,04101,US,3,USD,' +
    '300.00,0.00,0.00,300.00,2026-11-20 13:42:07,2025-12-02 11:20:33,2026-11-20 13:42:07,Donation form',
  '',
].join('\r\n');

export const DONOR_EXAMPLES: Examples = {
  listDonors: [{ parameters: { limit: 1, sort: 'name' }, response: firstPage([DONOR]) }],
  getDonor: [{ parameters: { id: DONOR.id }, response: DONOR }],
  exportDonors: [{ parameters: { time_zone: 'America/New_York' }, response: CSV }],
  countDonors: [{ parameters: { q: 'portland' }, response: SUMMARY }],
};
