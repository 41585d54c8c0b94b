import { RefusedUrlError } from './public-host.ts';

/** Error codes of Node, OpenSSL and undici's connections, with a message for the owner of the endpoint. */
const MESSAGES_BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  HPE_HEADER_OVERFLOW: 'The response headers are too large.',
  EPROTO: 'The TLS handshake failed.',
};

/**
 * Describes why an attempt got no response.
 *
 * The original message is not used: it contains addresses and ports of our network, and `last_error`
 * is shown to the owner of the endpoint.
 */
export function describeDeliveryError(thrown: unknown): string {
  const refusedUrlError = findRefusedUrlError(thrown);
  if (refusedUrlError) return `Not sent: the URL ${refusedUrlError.message}`;
  const code = codeOf(thrown);
  const message = MESSAGES_BY_CODE[code];
  if (message) return message;
  if (/CERT|SIGNED|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
    return `The TLS certificate was rejected (${code}).`;
  }
  if (/^(?:ERR_SSL|ERR_TLS)/.test(code)) return 'The TLS handshake failed.';
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP.';
  return 'The connection failed.';
}

/** Undici wraps some errors of the connector as a cause. */
function findRefusedUrlError(thrown: unknown): RefusedUrlError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof RefusedUrlError) return error;
  }
  return undefined;
}

function codeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return codeOf(thrown.cause);
}
