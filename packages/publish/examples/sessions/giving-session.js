import { connect } from './connect.js';

/**
 * Your own endpoint: opens a session for the person who is signed in to your site.
 *
 * @param viewerToken signed as in “Sign a viewer token”
 */
export const givingSession = (viewerToken) =>
  connect.request('https://www.example.org/connect/component-sessions', {
    method: 'POST',
    headers: {
      origin: 'https://www.example.org',
      'content-type': 'application/json',
      authorization: `Bearer ${viewerToken}`,
    },
    body: JSON.stringify({ components: ['donations', 'donors'] }),
  });
