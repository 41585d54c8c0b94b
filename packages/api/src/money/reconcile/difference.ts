/** Something that is not here as it is at the processor. */
export interface Difference {
  organizationId: string;
  /** The processor's identifier of what differs. */
  id: string;
  /** In a sentence. */
  what: string;
  /** False where only a person can tell what is right. */
  healed: boolean;
}

/** What reconciling tells while it goes on. */
export interface Reporter {
  onDifference(difference: Difference): void;
  /** So many objects of the processor have been looked at. */
  onChecked(count: number): void;
}

/** An organization whose account is compared. */
export interface ReconciledAccount {
  id: string;
  account: string;
}
