/** Path below `{base_url}` (spec: OAuth 2.0 authorization code flow). */
export const OAUTH_PATH = '/api/auth/oauth2';
export const CONSENT_PATH = '/consent';
