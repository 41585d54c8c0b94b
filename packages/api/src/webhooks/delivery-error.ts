import { RefusedUrlError } from './public-host.ts';

/** Codes of Node, its parser, OpenSSL and undici, and what they mean to who runs the endpoint. */
const MESSAGES_BY_CODE: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the answer.',
  EPIPE: 'The connection was closed before the answer.',
  UND_ERR_SOCKET: 'The connection was closed before the answer.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The answer has too many headers.',
  EPROTO: 'TLS could not be agreed upon.',
};

/**
 * Says why no answer came, in words that are ours.
 *
 * A system's own message carries addresses and ports, and `last_error` is shown to whoever
 * registered the URL: nothing of it may pass.
 */
export function describeDeliveryError(thrown: unknown): string {
  const refusal = findRefusedUrlError(thrown);
  if (refusal) return `Not sent: ${refusal.message}`;
  const code = codeOf(thrown);
  const meaning = MESSAGES_BY_CODE[code];
  if (meaning) return meaning;
  if (/CERT|SIGNED|SIGNATURE|ISSUER|ALTNAME/.test(code)) {
    return `The TLS certificate was not accepted (${code}).`;
  }
  if (/^(?:ERR_SSL|ERR_TLS)/.test(code)) return 'TLS could not be agreed upon.';
  // Its code is the parser's, and missing in the one case that matters: no HTTP at all.
  if (thrown instanceof Error && thrown.name === 'HTTPParserError')
    return 'The answer is not HTTP.';
  return 'The connection failed.';
}

/** Undici hands the connector's errors on, some of them as a cause. */
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
