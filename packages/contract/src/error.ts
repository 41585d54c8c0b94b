/**
 * Every `error.type` of this project with its HTTP status.
 *
 * Types from the specification (spec: Errors), and additional ones: docs/decisions/0002-specification-gaps.md
 */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  proof_required: 428,
  rate_limited: 429,
  server_error: 500,
  unavailable: 503,
} as const;

export type ErrorType = keyof typeof ERROR_STATUS;

/** The error body of every route (spec: Errors). */
export interface ErrorEnvelope {
  error: { type: string; message: string };
}

export interface ConnectErrorOptions extends ErrorOptions {
  /** Whole seconds after which a retry can succeed; sent as the `Retry-After` header. */
  retryAfterSeconds?: number;
}

/**
 * The error class of this project. The API throws it, the BFF forwards it, the client throws it
 * again, and an element shows its message.
 */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  readonly type: ErrorType;
  readonly retryAfterSeconds: number | undefined;

  constructor(type: ErrorType, message: string, options: ConnectErrorOptions = {}) {
    super(message, options);
    this.type = type;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status() {
    return ERROR_STATUS[this.type];
  }

  toJSON(): ErrorEnvelope {
    return { error: { type: this.type, message: this.message } };
  }
}

/** The message names the requested id, but not whether another organization has such a resource. */
export const notFound = (object: string, id: string) =>
  new ConnectError('not_found', `No ${object} ${id} in this organization.`);

/** Formats the message as field and problem: `amount_cents: must be a whole number of cents.` */
export const invalidRequest = (field: string, problem: string) =>
  new ConnectError('invalid_request', `${field}: ${problem}`);
