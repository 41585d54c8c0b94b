import type { Insertable } from 'kysely';
import type { Database } from '../schema.ts';
import { seedReference } from '../../lib/format-reference.ts';
import { createRandom, type Random } from './random.ts';
import type { SeedCampaign } from './organizations.ts';
import { inventDonor, type SeedDonor } from './donors.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30.44 * DAY_MS;

/** Amounts of one-time donations in cents. Frequent amounts are repeated. */
const AMOUNTS = [
  1000, 1500, 2000, 2500, 2500, 2500, 3500, 4000, 5000, 5000, 5000, 5000, 6000, 7500, 10_000,
  10_000, 10_000, 12_500, 15_000, 25_000, 25_000, 50_000, 100_000, 250_000,
];
const MONTHLY_AMOUNTS = [1000, 1500, 2000, 2500, 2500, 3000, 5000, 10_000];

interface DonationOptions {
  organizationId: string;
  now: Date;
  seed: number;
  donors: number;
  days: number;
  fundIds: readonly string[];
  campaigns: readonly SeedCampaign[];
  /** The form through which donations on the website were made. */
  formId?: string;
}

export type SeedDonation = Insertable<Database['donation']> & {
  amount_cents: number;
  fee_cents: number;
  created_at: Date;
};

/** Invents donors and their donations. A donor is created with the first donation. */
export function inventDonorsAndDonations(options: DonationOptions): {
  donors: SeedDonor[];
  donations: SeedDonation[];
} {
  const random = createRandom(options.seed);
  const donors: SeedDonor[] = [];
  const donations: SeedDonation[] = [];
  for (let number = 1; number <= options.donors; number += 1) {
    const donor = inventDonor(random, options.organizationId, number);
    const donated = inventDonations(random, options, donor);
    const times = donated.map(({ created_at }) => created_at.getTime());
    const created_at = new Date(Math.min(...times));
    donors.push({ ...donor, created_at, updated_at: new Date(Math.max(...times)) });
    donations.push(...donated);
  }
  addRefundsAndDisputes(donations);
  for (const [index, donation] of donations.entries()) {
    Object.assign(donation, { reference: seedReference(index + 1), ...paymentMethodOf(index) });
  }
  return { donors, donations };
}

const CARD_BRANDS = ['visa', 'mastercard', 'visa', 'amex', 'visa', 'mastercard', 'discover'];

/** Returns a card for most donations, and a bank account for every 17th donation. */
export const paymentMethodOf = (index: number) =>
  index % 17 === 16
    ? { payment_method: 'us_bank_account', card_brand: null }
    : { payment_method: 'card', card_brand: CARD_BRANDS[index % CARD_BRANDS.length]! };

function inventDonations(
  random: Random,
  options: DonationOptions,
  donor: SeedDonor,
): SeedDonation[] {
  const monthly = random.probability(0.12);
  const fundId = random.pick(options.fundIds);
  const amount = random.pick(monthly ? MONTHLY_AMOUNTS : AMOUNTS);
  return donationTimes(random, options, monthly).map((at, index) => {
    const isRepeat = !monthly && index > 0 && random.probability(0.5);
    const amount_cents = isRepeat ? random.pick(AMOUNTS) : amount;
    const running = options.campaigns.filter(
      ({ start_date, end_date }) => start_date <= at && at <= end_date,
    );
    const embedded = donor.source === 'embed';
    const id = random.id('don');
    return {
      id,
      organization_id: options.organizationId,
      amount_cents,
      // The usual card fee is 2.9 % and 30 cents.
      fee_cents: Math.round(amount_cents * 0.029) + 30,
      currency: 'usd',
      recurring: monthly,
      donor_name: [donor.first_name, donor.last_name].join(' '),
      donor_email: donor.email ?? null,
      fund_id: fundId,
      campaign_id: running.length && random.probability(0.5) ? random.pick(running).id : null,
      contact_id: donor.id,
      form_id: embedded ? (options.formId ?? null) : null,
      source: embedded ? 'embed' : 'import',
      // The embed session of this id does not exist. Sessions are deleted after they expire.
      source_id: embedded ? id.replace('don_', 'es_') : null,
      paid_at: at,
      created_at: at,
    };
  });
}

/**
 * Returns the times of a donor's donations: monthly from a random day on, or a few times at random
 * during the day.
 */
function donationTimes(random: Random, { now, days }: DonationOptions, monthly: boolean): Date[] {
  // The exponent makes recent donations more frequent, because the organization grows.
  const first = now.getTime() - random.next() ** 1.3 * days * DAY_MS - 3_600_000;
  const months = (now.getTime() - first) / MONTH_MS;
  const count = 1 + Math.floor(monthly ? months : random.next() ** 2 * Math.min(6, months / 1.5));
  return Array.from({ length: count }, (_, index) => {
    if (monthly) return new Date(first + index * MONTH_MS);
    const later = index === 0 ? 0 : random.next() * (now.getTime() - first);
    return moveToDaytime(random, new Date(first + later));
  });
}

/** Moves a time at night (in the US) to the afternoon or evening before. */
function moveToDaytime(random: Random, at: Date): Date {
  const hoursBack = at.getUTCHours() >= 4 && at.getUTCHours() < 11 ? random.integer(8, 12) : 0;
  return new Date(at.getTime() - hoursBack * 3_600_000 - random.integer(0, 3_599_999));
}

/** Stripe's fee of a dispute, which it does not return. */
const DISPUTE_FEE_CENTS = 1500;

/** Adds a few refunds and disputes of each kind to one-time donations. */
function addRefundsAndDisputes(donations: readonly SeedDonation[]): void {
  const kinds = [
    { refund: 1, dispute: 'none' },
    { refund: 0.5, dispute: 'none' },
    { refund: 0, dispute: 'open' },
    { refund: 0, dispute: 'won' },
    { refund: 0, dispute: 'lost' },
  ] as const;
  const single = donations.filter(({ recurring }) => !recurring);
  const step = Math.max(1, Math.floor(single.length / (kinds.length * 4)));
  for (let nth = 0; (nth + 1) * step <= single.length; nth += 1) {
    const donation = single[(nth + 1) * step - 1]!;
    const { refund, dispute } = kinds[nth % kinds.length]!;
    donation.refunded_amount_cents = Math.floor(donation.amount_cents * refund);
    donation.refund_status = refund === 1 ? 'full' : refund > 0 ? 'partial' : 'none';
    donation.dispute_status = dispute;
    if (dispute === 'none') continue;
    // The bank withdraws the amount when it opens a dispute, and returns it if the dispute is won.
    donation.disputed_amount_cents = dispute === 'won' ? 0 : donation.amount_cents;
    donation.dispute_fee_cents = DISPUTE_FEE_CENTS;
    donation.fee_cents += DISPUTE_FEE_CENTS;
  }
}
