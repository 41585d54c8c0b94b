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

/**
 * The HTTP status of an error. It is not a property of the error, because browsers do not need the
 * table of statuses.
 */
export const statusOf = ({ type }: { type: ErrorType }) => ERROR_STATUS[type];
