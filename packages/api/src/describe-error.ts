/**
 * An error for the log. PostgreSQL puts the offending row into `detail`, and the processor puts the
 * request into its errors, so only what is known to be harmless is taken.
 */
export function describeError(error: Error): object {
  const { cause } = error;
  const { code, constraint, requestId } = error as Error & Record<string, unknown>;
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    processor_request_id: requestId,
    stack: error.stack,
    ...(cause instanceof Error && { cause: describeError(cause) }),
  };
}

/** Lets a logger write no error otherwise, wherever it comes from. */
export const LOG_SERIALIZERS = {
  err: (error: unknown) => (error instanceof Error ? describeError(error) : error),
};
