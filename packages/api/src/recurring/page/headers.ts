import { hostedHeaders } from '../../hosted/headers.ts';

/**
 * What a donor's page is sent with. Its address is a key, so no referrer leaves it and no cache keeps
 * it; forms go nowhere else. Only the card page runs anything.
 */
export const PAGE_HEADERS: Record<string, string> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000',
  'Cache-Control': 'no-store',
};

/** @param scriptUrl of the processor */
export function cardHeaders(scriptUrl: string): Record<string, string> {
  const headers = hostedHeaders(scriptUrl);
  const policy = headers['Content-Security-Policy'] ?? '';
  return {
    ...headers,
    'Content-Security-Policy': policy.replace("form-action 'none'", "form-action 'self'"),
  };
}
