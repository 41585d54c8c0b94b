import { PAGE_HEADERS } from '@connect-embed/api/http/security-headers';

/** Headers of a page that is the HTML of an email. The policy allows only what emails use: inline styles and a logo. */
export const EMAIL_HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
