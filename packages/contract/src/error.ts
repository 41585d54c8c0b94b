/**
 * Every `error.type` that an answer of this project carries, and its status.
 *
 * The first six are the specification's (spec: Errors). The others fill its
 * silence: docs/decisions/0003-errors.md.
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

/** The one error body of every route (spec: Errors). */
export interface ErrorEnvelope {
  error: { type: string; message: string };
}

export interface ConnectErrorOptions extends ErrorOptions {
  /** Whole seconds until a repetition can succeed; becomes the `Retry-After` header. */
  retryAfterSeconds?: number;
}

/**
 * The one error of this project. The API throws it, the server passes it on,
 * the client throws it again, an element shows its message.
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

/** Says what was looked for, never whether another organization has it. */
export const notFound = (object: string, id: string) =>
  new ConnectError('not_found', `No ${object} ${id} in this organization.`);

/** Names the field, then the problem: `amount_cents: must be a whole number of cents.` */
export const invalidRequest = (field: string, problem: string) =>
  new ConnectError('invalid_request', `${field}: ${problem}`);
