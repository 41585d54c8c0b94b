/** Renews the viewer token of the tables' provider before it expires. */
const RENEWAL_FRACTION = 0.75;
const RETRY_MS = 30_000;
const provider = document.querySelector('connect-provider');

async function renew() {
  const response = await fetch('/platform/viewer-token').catch(() => undefined);
  if (response?.status === 401) return location.reload(); // The user is signed out; the reloaded page shows the sign-in form.
  if (!response?.ok) return renewIn(RETRY_MS);
  const { token, expires_in } = await response.json();
  provider.setAttribute('viewer-token', token);
  renewIn(expires_in * 1000 * RENEWAL_FRACTION);
}

const renewIn = (ms) => setTimeout(renew, ms);

renewIn(3600 * 1000 * RENEWAL_FRACTION);
