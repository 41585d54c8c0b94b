/**
 * Health check of the image. Exits with 0 if every service of this container is well: the API or the
 * worker, which share a port, and the server. A service that does not listen is not part of this
 * container's role, but one of them must respond.
 *
 * The server is asked whether it runs, not whether it is ready: it becomes ready with the setup,
 * which needs the container before.
 */
const { API_PORT, SERVER_PORT } = process.env;
const ADDRESSES = [
  `http://127.0.0.1:${API_PORT || 4000}/readyz`,
  `http://127.0.0.1:${SERVER_PORT || 4100}/healthz`,
];
/** Shorter than the timeout of HEALTHCHECK in the Dockerfile. */
const TIMEOUT_MS = 4_000;

/** Returns undefined if nothing listens on the port. */
const isWell = (address) =>
  fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    ({ cause }) => (cause?.code === 'ECONNREFUSED' ? undefined : false),
  );

const results = (await Promise.all(ADDRESSES.map(isWell))).filter((well) => well !== undefined);
process.exit(results.length > 0 && results.every(Boolean) ? 0 : 1);
