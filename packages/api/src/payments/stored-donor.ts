/** The donor of a payment or a recurring donation as it is stored here. */
interface StoredDonor {
  donor_name: string | null;
  donor_email: string | null;
  locale: string | null;
}

/**
 * Replaces the donor in Stripe's metadata by the stored one, who may have been corrected or erased since. What an
 * erased donor wrote is left out, too: Stripe still has it if its account could not be reached.
 */
export function withStoredDonor(
  metadata: Record<string, string>,
  stored: StoredDonor,
): Record<string, string> {
  const { donor_name, donor_email, locale: _, dedication, comment, ...others } = metadata;
  const wasNamed = donor_name !== undefined || donor_email !== undefined;
  const isErased = wasNamed && stored.donor_name === null && stored.donor_email === null;
  return {
    ...others,
    ...(!isErased && dedication && { dedication }),
    ...(!isErased && comment && { comment }),
    ...(stored.donor_name && { donor_name: stored.donor_name }),
    ...(stored.donor_email && { donor_email: stored.donor_email }),
    ...(stored.locale && { locale: stored.locale }),
  };
}
