import type { Insertable, Selectable } from 'kysely';
import { seedReference } from '../../lib/format-reference.ts';
import type { Database } from '../schema.ts';
import { WEBSITE_FORM_ID } from './forms.ts';

const DAY_MS = 86_400_000;
/** Above the numbers of all seed donations, which have references, too. */
const FIRST_REFERENCE = 1_000_000_000;

type Donor = Pick<
  Selectable<Database['donor']>,
  'id' | 'organization_id' | 'first_name' | 'last_name' | 'email'
>;
type SeedPayment = Insertable<Database['payment_intent']>;

/** Invents bank debits whose money is on its way, and one that the bank returned. */
export function inventPayments(donors: readonly Donor[], now: Date): SeedPayment[] {
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const payment = (index: number, amount_cents: number, days: number): SeedPayment => {
    const { id, organization_id, first_name, last_name, email } = donors[index]!;
    return {
      id: id.replace('dnr_', 'pi_demo_'),
      organization_id,
      amount_cents,
      currency: 'usd',
      status: 'processing',
      status_at: daysFromNow(-days),
      expected_at: daysFromNow(6 - days),
      payment_method: 'us_bank_account',
      fund_id: 'fund_general',
      form_id: WEBSITE_FORM_ID,
      source: 'embed',
      source_id: 'es_demo',
      reference: seedReference(FIRST_REFERENCE + index),
      donor_name: [first_name, last_name].filter(Boolean).join(' '),
      donor_email: email,
      created_at: daysFromNow(-days),
      // The payment does not exist in the sandbox, so it is not compared with it.
      closed_at: now,
    };
  };
  return [
    payment(3, 5000, 1),
    payment(12, 12_500, 2),
    payment(21, 2500, 4),
    {
      ...payment(30, 4000, 5),
      status: 'failed',
      expected_at: null,
      failure_code: 'insufficient_funds',
    },
  ];
}
