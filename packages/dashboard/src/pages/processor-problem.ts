import type { ConnectError } from '@connect-embed/contract';
import { isDisconnected, isPermissionMissing } from '@connect-embed/api/payments/stripe/errors';

/** Says what a member can do after an `unavailable` error of a call to Stripe. */
export function processorProblem(error: ConnectError): string {
  if (isPermissionMissing(error))
    return 'Your Stripe key lacks a permission that this needs. Enter the key again under Payments to see which one, then try again.';
  if (isDisconnected(error))
    return 'Stripe no longer accepts the connection to your account. Restore it under Payments, then try again.';
  return 'The card processor could not be reached. Try again.';
}
