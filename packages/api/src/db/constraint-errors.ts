/** Why PostgreSQL refused a row, where that is worth a sentence of our own. */
const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** SQLSTATE 23505: another row has this value already. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** SQLSTATE 23503 (and 23001): other rows point at the one that was to go. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === '23503' || codeOf(error) === '23001';
