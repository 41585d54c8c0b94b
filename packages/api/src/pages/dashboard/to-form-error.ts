import { ConnectError } from '@connect-embed/contract';

/**
 * Does what a form asks for.
 *
 * @param labels what the page calls the fields that the rules know by another name
 * @returns its result, or in a sentence why the rules refuse it
 */
export async function resultOrFormError<Result>(
  act: () => Promise<Result>,
  labels: Record<string, string> = {},
): Promise<Result | string> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ConnectError && error.status < 500) return spoken(error.message, labels);
    throw error;
  }
}

/** `url: must use https.` as people read it: `The address must use https.` */
function spoken(message: string, labels: Record<string, string>): string {
  const [, field = '', problem = ''] = /^(\w+): (.*)$/s.exec(message) ?? [];
  const label = labels[field];
  if (!label) return message;
  return problem.startsWith('must') ? `${label} ${problem}` : `${label}: ${problem}`;
}
