import type { ErrorCode, ErrorCodeOf } from './error-codes.ts';
import type { ErrorEnvelope } from './error-envelope.ts';
import type { ErrorType } from './error-status.ts';

/**
 * The parts of an error response that identify the request and the documentation at the server that
 * sent it.
 */
export interface ErrorOrigin {
  /** The `Request-Id` of the response. */
  requestId?: string | undefined;
  /** Address of the code's documentation. */
  docUrl?: string | undefined;
}

/** Options of an error. `requestId` and `docUrl` are set only for a received error. */
export interface ConnectErrorOptions extends ErrorOptions, ErrorOrigin {
  /** The error code; by default it equals the type. */
  code?: ErrorCode;
  param?: string | undefined;
  /** Whole seconds after which a retry can succeed; sent as the `Retry-After` header. */
  retryAfterSeconds?: number | undefined;
  /** Place in line of a donation that waits for the card processor; 1 is first. */
  queuePosition?: number | undefined;
}

/** Arguments of the constructor, so that a code fits its type. */
export type ConnectErrorArguments = {
  [Type in ErrorType]: [
    type: Type,
    message: string,
    options?: ConnectErrorOptions & { code?: ErrorCodeOf<Type> },
  ];
}[ErrorType];

/**
 * The error class of this project. The API throws it, the BFF forwards it, the client throws it
 * again, and an element shows a message for its type or code.
 */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';
  // `declare`: the constructor sets them, so that no bundle contains empty field definitions.
  declare readonly type: ErrorType;
  declare readonly code: ErrorCode;
  declare readonly param: string | undefined;
  declare readonly retryAfterSeconds: number | undefined;
  declare readonly queuePosition: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly docUrl: string | undefined;

  constructor(...args: ConnectErrorArguments);
  constructor(type: ErrorType, message: string, options: ConnectErrorOptions = {}) {
    super(message, options);
    Object.assign(this, options, { type, code: options.code ?? type });
  }
}

/**
 * The response body of an error.
 *
 * @param origin the request and documentation of the responding server; those of a received error
 *   by default
 */
export function errorBody(
  error: ConnectError,
  { requestId = error.requestId, docUrl = error.docUrl }: ErrorOrigin = {},
): ErrorEnvelope {
  const { type, code, message, param, queuePosition } = error;
  return {
    error: {
      type,
      code,
      message,
      ...(param !== undefined && { param }),
      ...(queuePosition !== undefined && { queue_position: queuePosition }),
      ...(requestId !== undefined && { request_id: requestId }),
      ...(docUrl !== undefined && { doc_url: docUrl }),
    },
  };
}

/**
 * Returns the sentence about the parameter without its subject, `must be a whole number.`, for a
 * form that has a label of its own. Every message about a parameter begins with the parameter's name.
 */
export const problemOf = ({ param, message }: ConnectError): string =>
  param === undefined ? message : message.slice(param.length + 1);

/**
 * Creates the error for a missing resource. The message names the requested id, but does not reveal
 * whether another organization has such a resource.
 */
export const notFound = (object: string, id: string) =>
  new ConnectError('not_found', `No ${object} ${id} in this organization.`, {
    code: 'resource_missing',
  });

/**
 * Creates an error about one parameter, body field or header.
 *
 * @param problem the rest of the sentence that begins with the parameter: `must be a whole number.`
 */
export const invalidRequest = (
  param: string,
  problem: string,
  options: Omit<ConnectErrorOptions, 'param'> & { code?: ErrorCodeOf<'invalid_request'> } = {},
) =>
  new ConnectError('invalid_request', `${param} ${problem}`, {
    code: 'parameter_invalid',
    ...options,
    param,
  });
