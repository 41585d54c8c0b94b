/** Donations (ours) and charges (theirs) that a test found for one donor, in cents. */
export interface DonorRecords {
  email: string;
  ours: number[];
  theirs: number[];
}

/** Type of the Playwright annotation that carries `DonorRecords` out of a test. */
export const RECORDS_ANNOTATION = 'records';
