import type { Deps } from '../env.ts';
import { formatError } from '../format-error.ts';
import { isBuilt } from '../hosted/scripts.ts';
import { right, unsure, wrong, type Finding } from './finding.ts';

/** The addresses that browsers see: ours, and the server's that pages load the form from. */
export async function checkOrigins(
  deps: Deps,
  { server, origins }: { server: string | undefined; origins: readonly string[] },
): Promise<Finding[]> {
  return [
    ownAddress(deps),
    (await isBuilt(deps))
      ? right('Hosted pages: the script is built.')
      : unsure('Hosted pages: the script has not been built.', 'Run: npm run build'),
    ...(server ? await checkServer(server, origins) : []),
  ];
}

function ownAddress({ baseUrl, processor }: Deps): Finding {
  if (baseUrl.startsWith('https:')) return right(`Address: ${baseUrl}`);
  const todo = 'Set API_BASE_URL to an https address.';
  const what = `Address: ${baseUrl} is not https`;
  return processor.livemode
    ? wrong(`${what}; browsers take no card there.`, todo)
    : unsure(`${what}; enough for a try.`, todo);
}

/** Asks as a browser would before it sends anything from such a page. */
async function checkServer(server: string, origins: readonly string[]): Promise<Finding[]> {
  try {
    const ready = await fetch(new URL('readyz', withSlash(server)));
    if (!ready.ok) return [wrong(`Server: ${server} is not ready.`, 'Look at its log.')];
  } catch (error) {
    return [wrong(`Server: ${server}: ${formatError(error)}`, 'Start it, or mend its address.')];
  }
  const findings = origins.map(async (origin) => {
    const answer = await fetch(new URL('embed-sessions', withSlash(server)), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    if (answer.headers.get('access-control-allow-origin') === origin) {
      return right(`Origin: ${origin} may show the form.`);
    }
    const todo = 'Add it to "origins" in connect.config.ts, or to ALLOWED_ORIGINS.';
    return wrong(`Origin: ${origin} is not allowed by ${server}.`, todo);
  });
  return [right(`Server: ${server} is ready.`), ...(await Promise.all(findings))];
}

const withSlash = (address: string) => (address.endsWith('/') ? address : `${address}/`);
