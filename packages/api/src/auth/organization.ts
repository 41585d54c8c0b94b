/** The organization that a credential acts for, as far as every route needs it. */
export interface CredentialOrganization {
  id: string;
  name: string;
  currency: string;
  /** Null until it has an account at the processor. */
  processorAccountId: string | null;
}

/** One that gifts can be made to. */
export type PayableOrganization = CredentialOrganization & { processorAccountId: string };

export const ORGANIZATION_COLUMNS = [
  'organization.id as organization_id',
  'organization.name',
  'organization.currency',
  'organization.processor_account_id',
] as const;

export const toOrganization = (row: {
  organization_id: string;
  name: string;
  currency: string;
  processor_account_id: string | null;
}): CredentialOrganization => ({
  id: row.organization_id,
  name: row.name,
  currency: row.currency,
  processorAccountId: row.processor_account_id,
});
