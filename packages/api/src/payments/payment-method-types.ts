import { ConnectError, fitsCurrency, PAYMENT_METHOD_TYPES } from '@connect-embed/contract';
import type { Db } from '../db/schema.ts';
import type { CredentialOrganization } from '../http/credential-organization.ts';
import { syncAccount } from './accounts.ts';
import type { WorkerDeps } from './deps.ts';

/** The columns that decide which payment methods an organization's donors are offered. */
export const METHOD_COLUMNS = [
  'organization.payment_method_types as chosen_methods',
  'account.payment_method_types as enabled_methods',
] as const;

interface MethodRow {
  /** The choice of the organization's owner. */
  chosen_methods: readonly string[];
  /** What Stripe has enabled for the account; null if its state is not stored. */
  enabled_methods: readonly string[] | null;
}

/**
 * Returns the payment methods that a form offers: those that the form or else the organization has chosen, as far
 * as Stripe has enabled them and takes them in the currency. Cards are always offered.
 *
 * Link follows cards if it is enabled. It is Stripe's way of filling in a card or a bank account, and the owner turns
 * it off at Stripe: docs/decisions/0123-payment-methods.md
 */
export function offeredMethodTypes(
  { currency }: Pick<CredentialOrganization, 'currency'>,
  { chosen_methods, enabled_methods }: MethodRow,
  formChoice: readonly string[] | null = null,
): string[] {
  const chosen = formChoice ?? chosen_methods;
  const enabled = enabled_methods ?? [];
  return PAYMENT_METHOD_TYPES.flatMap((type) => {
    if (type === 'card') return enabled.includes('link') ? ['card', 'link'] : ['card'];
    const isOffered = chosen.includes(type) && enabled.includes(type);
    return isOffered && fitsCurrency(type, currency) ? [type] : [];
  });
}

/**
 * Loads the payment methods that a form, or by default the organization, offers.
 *
 * The state of the account at Stripe is not stored yet if an operator created the organization with its account. It is
 * fetched then, so that the owner's choice counts from the first form. If Stripe cannot be reached, cards are offered.
 */
export async function loadOfferedMethodTypes(
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
  organization: Pick<CredentialOrganization, 'id' | 'currency'>,
  formChoice: readonly string[] | null = null,
): Promise<string[]> {
  const row = await deps.db
    .selectFrom('organization')
    .leftJoin('processor_account as account', 'account.id', 'organization.processor_account_id')
    .where('organization.id', '=', organization.id)
    .select(METHOD_COLUMNS)
    .select('organization.processor_account_id as account')
    .executeTakeFirstOrThrow();
  row.enabled_methods ??= await fetchEnabledMethods(deps, row.account);
  return offeredMethodTypes(organization, row, formChoice);
}

async function fetchEnabledMethods(
  deps: Pick<WorkerDeps, 'db' | 'processor'>,
  account: string | null,
): Promise<string[] | null> {
  if (account === null) return null;
  try {
    return (await syncAccount(deps, account))?.paymentMethodTypes ?? null;
  } catch (error) {
    if (error instanceof ConnectError) return null;
    throw error;
  }
}

/** Saves which payment methods an organization's forms offer, unless they have a choice of their own. */
export const saveChosenMethodTypes = (
  db: Db,
  organizationId: string,
  types: readonly string[],
): Promise<unknown> =>
  db
    .updateTable('organization')
    .set({
      payment_method_types: PAYMENT_METHOD_TYPES.filter(
        (type) => type === 'card' || types.includes(type),
      ),
    })
    .where('id', '=', organizationId)
    .execute();
