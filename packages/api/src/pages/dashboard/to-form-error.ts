import { ConnectError } from '@connect-embed/contract';

/**
 * Runs an action and turns a domain error into a message for the form.
 *
 * @param labels names of API fields as the form shows them
 * @returns the result of the action, or the error message
 */
export async function resultOrFormError<Result>(
  operation: () => Promise<Result>,
  labels: Record<string, string> = {},
): Promise<Result | string> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof ConnectError && error.status < 500)
      return withFieldLabel(error.message, labels);
    throw error;
  }
}

/**
 * Replaces the field name in an error message by its label: `url: must use https.` becomes `The
 * address must use https.`
 */
function withFieldLabel(message: string, labels: Record<string, string>): string {
  const [, field = '', problem = ''] = /^(\w+): (.*)$/s.exec(message) ?? [];
  const label = labels[field];
  if (!label) return message;
  return problem.startsWith('must') ? `${label} ${problem}` : `${label}: ${problem}`;
}
