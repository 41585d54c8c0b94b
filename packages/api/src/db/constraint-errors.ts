/** Returns the SQLSTATE of a PostgreSQL error. */
const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** Returns true for SQLSTATE 23505: another row already has this unique value. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Returns true for SQLSTATE 23503 or 23001: other rows reference the row that was to be deleted. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === '23503' || codeOf(error) === '23001';
