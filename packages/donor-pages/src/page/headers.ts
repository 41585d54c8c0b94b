/** Response headers of a page whose address must stay secret: it is sent in no referrer, and not cached. */
export const pageHeaders = (contentSecurityPolicy: string): Record<string, string> => ({
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000',
  'Cache-Control': 'no-store',
});
