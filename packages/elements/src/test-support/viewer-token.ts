/** A viewer's token as a platform makes it, with a signature that only a server would read. */
export function createViewerToken(claims: Readonly<Record<string, unknown>>): string {
  const parts = [{ alg: 'HS256' }, claims].map((part) =>
    btoa(JSON.stringify(part)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  );
  return `${parts.join('.')}.signature`;
}
