import type { Db } from '../db/schema.ts';
import { newId } from '../lib/id.ts';

interface NewOrganization {
  name: string;
  slug: string;
  currency: string;
  /**
   * Id of the organization's Stripe account. If absent, the account is opened later in the
   * dashboard.
   */
  account?: string | undefined;
}

/**
 * Creates an organization.
 *
 * @returns the organization's id
 * @throws {Error} if the slug or the account is already used
 */
export async function createOrganization(db: Db, input: NewOrganization): Promise<string> {
  const id = newId('org');
  const { name, slug, currency, account } = input;
  try {
    await db
      .insertInto('organization')
      .values({ id, name, slug, currency, processor_account_id: account ?? null })
      .execute();
  } catch (cause) {
    const conflictMessage =
      UNIQUE_VIOLATION_MESSAGES[(cause as { constraint?: string }).constraint ?? ''];
    // The new error has no `cause`, because PostgreSQL's message would only repeat this one.
    if (conflictMessage) throw new Error(conflictMessage(input));
    throw cause;
  }
  return id;
}

const UNIQUE_VIOLATION_MESSAGES: Readonly<Record<string, (input: NewOrganization) => string>> = {
  organization_slug_key: ({ slug }) => `The slug ${slug} is already used by another organization.`,
  organization_processor_account_id_key: ({ account }) =>
    `The account ${account} belongs to another organization.`,
};

/**
 * Returns the text if it is a valid slug.
 *
 * @throws {Error} if the text is not a valid slug
 */
export function parseSlug(text: string): string {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= 60) return text;
  throw new Error('It must have at most 60 lowercase letters, digits and single hyphens.');
}

/**
 * Converts a currency code to lower case.
 *
 * @throws {Error} if `Intl`, which formats the amounts, does not support the currency
 */
export function parseCurrency(text: string): string {
  const code = text.toLowerCase();
  if (!/^[a-z]{3}$/.test(code)) throw new Error('It must have three letters, such as usd.');
  if (!Intl.supportedValuesOf('currency').includes(code.toUpperCase())) {
    throw new Error(`${text} is not a currency.`);
  }
  return code;
}
