/** A property that must always hold does not. */
export class Violation extends Error {}
