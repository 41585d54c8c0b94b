/** The organization of a credential, with the columns that every route needs. */
export interface CredentialOrganization {
  id: string;
  name: string;
  currency: string;
  /** Id of the connected Stripe account; null until an account is connected. */
  processorAccountId: string | null;
  /** IANA name of the time zone in which people read the organization's times. */
  timeZone: string;
}

/** An organization with a connected Stripe account, which can receive donations. */
export type PayableOrganization = CredentialOrganization & { processorAccountId: string };

export const ORGANIZATION_COLUMNS = [
  'organization.id as organization_id',
  'organization.name',
  'organization.currency',
  'organization.processor_account_id',
  'organization.time_zone',
] as const;

export const toOrganization = (row: {
  organization_id: string;
  name: string;
  currency: string;
  processor_account_id: string | null;
  time_zone: string;
}): CredentialOrganization => ({
  id: row.organization_id,
  name: row.name,
  currency: row.currency,
  processorAccountId: row.processor_account_id,
  timeZone: row.time_zone,
});
