import { ConnectError, problemOf, statusOf } from '@connect-embed/contract';

/**
 * Runs an action and turns a domain error into a message for the form.
 *
 * @param labels for each API field, the name that the form shows
 * @returns the result of the action, or the error message
 */
export async function resultOrFormError<Result>(
  operation: () => Promise<Result>,
  labels: Record<string, string> = {},
): Promise<Result | string> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ConnectError && statusOf(error) < 500) return withLabel(error, labels);
    throw error;
  }
}

/**
 * Returns the error message with the form's label of the invalid parameter: `The URL must use
 * https.`
 */
const withLabel = (error: ConnectError, labels: Record<string, string>) => {
  const label = error.param && labels[error.param];
  return label ? `${label} ${problemOf(error)}` : error.message;
};
