import { PAYMENT_METHOD_TYPES, type PaymentMethodType } from '@connect-embed/contract';
import { forOrganization } from '../../db/organization-scope.ts';
import type { Db } from '../../db/schema.ts';
import type { WorkerDeps } from '../deps.ts';
import { loadOfferedMethodTypes } from '../payment-method-types.ts';
import type { SubscriptionRow } from './find-subscriptions.ts';

type Plan = Pick<
  SubscriptionRow,
  'organization_id' | 'form_id' | 'currency' | 'payment_method_types'
>;

/**
 * Returns the payment methods that the form of a plan has chosen; null if it offers those of the organization. A form of
 * the dashboard has what it offers now. Any other form is known only by its terms when the plan was started.
 */
export async function findMethodChoice(db: Db, plan: Plan): Promise<PaymentMethodType[] | null> {
  const choice = plan.form_id ? await findFormChoice(db, plan) : plan.payment_method_types;
  return choice && PAYMENT_METHOD_TYPES.filter((type) => choice.includes(type));
}

async function findFormChoice(db: Db, plan: Plan): Promise<PaymentMethodType[] | null> {
  const form = await forOrganization(db, plan.organization_id)
    .selectFrom('form')
    .innerJoin('form_version', (join) =>
      join
        .onRef('form_version.form_id', '=', 'form.id')
        .onRef('form_version.version', '=', 'form.live_version'),
    )
    .where('form.id', '=', plan.form_id)
    .select('form_version.settings')
    .executeTakeFirst();
  return form?.settings.terms.payment_method_types ?? null;
}

/** Loads the payment methods that the form of a plan offers. */
export const loadPlanMethodTypes = async (
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
  plan: Plan,
): Promise<string[]> =>
  loadOfferedMethodTypes(
    deps,
    { id: plan.organization_id, currency: plan.currency },
    await findMethodChoice(deps.db, plan),
  );
