import { ConnectError } from '@connect-embed/contract';
import type { Log } from '../log.ts';

/** How often a server whose API does not respond yet tries again. */
const RETRY_MS = 5_000;

const SENTENCES = {
  credential_rejected:
    'CONNECT_API_KEY: the API does not accept this key. Set a key that `connect-embed keys create` prints.',
  setup_incomplete:
    'Nobody has set up the API yet. Open the link that the API prints at its start. Until then, pages get no form.',
  api_unavailable:
    'CONNECT_API_BASE: the API does not respond there, or is not ready. The server waits for it.',
} as const;

/**
 * Logs in one sentence why no donation is possible, until one is. The server keeps running: its API may
 * start later, and a new installation knows the key of its server only after the setup.
 *
 * @param ping checks the API and the key
 * @returns a function that ends the checks
 */
export function reportStart(ping: () => Promise<void>, log: Log): () => void {
  let lastCode: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasStopped = false;
  const check = async () => {
    const code = await ping().then(
      () => undefined,
      (error: unknown) => (error instanceof ConnectError ? error.code : 'api_unavailable'),
    );
    if (hasStopped) return;
    if (code !== undefined && code !== lastCode) {
      const sentence = SENTENCES[code as keyof typeof SENTENCES] ?? SENTENCES.api_unavailable;
      // A new installation is in this state until its owner opens the link.
      log[code === 'setup_incomplete' ? 'info' : 'error']({ code }, sentence);
    }
    if (code === undefined && lastCode !== undefined)
      log.info({}, 'The API accepts CONNECT_API_KEY now. Donations are possible.');
    lastCode = code;
    if (code !== undefined) timer = setTimeout(() => void check(), RETRY_MS).unref();
  };
  void check();
  return () => {
    hasStopped = true;
    clearTimeout(timer);
  };
}
