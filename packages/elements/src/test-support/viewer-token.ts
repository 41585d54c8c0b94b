/**
 * Creates a viewer token (JWT) like a platform's, with a dummy signature, which only a server would
 * verify.
 */
export function createViewerToken(claims: Readonly<Record<string, unknown>>): string {
  const parts = [{ alg: 'HS256' }, claims].map((part) =>
    btoa(JSON.stringify(part)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  );
  return `${parts.join('.')}.signature`;
}
