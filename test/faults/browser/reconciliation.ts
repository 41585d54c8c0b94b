/** What a journey found on both sides for one donor, in cents. */
export interface DonorRecords {
  email: string;
  ours: number[];
  theirs: number[];
}

/** The kind of annotation that carries them out of the journey. */
export const RECORDS_ANNOTATION = 'books';
