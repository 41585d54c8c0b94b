import { ConnectError } from '@connect-embed/contract';

/** Thrown when an account with the email address exists already. */
export class EmailTakenError extends Error {
  override readonly name = 'EmailTakenError';

  constructor(email: string) {
    super(`${email} already has an account.`);
  }
}

const RETRY_AFTER_SECONDS = 2;

/** Thrown when the queue of password hashes is full. */
export class PasswordQueueFullError extends ConnectError {
  constructor() {
    const message = 'Too many sign-ins right now. Try again in a moment.';
    super('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}
