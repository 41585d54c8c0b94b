/** Recorded donations and charges that a test found for one donor, in cents. */
export interface DonorRecords {
  email: string;
  recordedCents: number[];
  chargedCents: number[];
}

/** Type of the Playwright annotation that carries `DonorRecords` out of a test. */
export const RECORDS_ANNOTATION = 'records';
