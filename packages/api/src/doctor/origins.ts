import type { Deps } from '../deps.ts';
import { formatError } from '../lib/log.ts';
import { isBuilt } from '../lib/built-script.ts';
import { passed, warning, failure, type CheckOptions, type CheckResult } from './check-result.ts';

/**
 * Checks the URLs that browsers use: the URL of this service, and the URL of the BFF (`server/`) from
 * which pages load the form.
 */
export async function checkOrigins(
  deps: Deps,
  { server, origins, scriptsDir }: CheckOptions,
): Promise<CheckResult[]> {
  return [
    checkBaseUrl(deps),
    (await isBuilt(scriptsDir))
      ? passed('Hosted pages: the script has been built.')
      : warning('Hosted pages: the script has not been built.', 'Run: npm run build'),
    ...(server ? await checkServer(server, origins) : []),
  ];
}

function checkBaseUrl({ baseUrl, processor }: Deps): CheckResult {
  if (baseUrl.startsWith('https:')) return passed(`Address: ${baseUrl}`);
  const fix = 'Set API_BASE_URL to an https URL.';
  const message = `Address: ${baseUrl} is not https`;
  return processor.livemode
    ? failure(`${message}; browsers do not accept cards there.`, fix)
    : warning(`${message}; sufficient for testing.`, fix);
}

/** Sends a CORS preflight request for each origin. */
async function checkServer(server: string, origins: readonly string[]): Promise<CheckResult[]> {
  try {
    const ready = await fetch(new URL('readyz', withTrailingSlash(server)));
    if (!ready.ok) return [failure(`Server: ${server} is not ready.`, 'Check its log.')];
  } catch (error) {
    return [failure(`Server: ${server}: ${formatError(error)}`, 'Start it, or correct its URL.')];
  }
  const findings = origins.map(async (origin) => {
    const response = await fetch(new URL('embed-sessions', withTrailingSlash(server)), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    if (response.headers.get('access-control-allow-origin') === origin) {
      return passed(`Origin: ${origin} is allowed to show the form.`);
    }
    const fix = 'Add it to "origins" in connect.config.ts, or to ALLOWED_ORIGINS.';
    return failure(`Origin: ${origin} is not allowed by ${server}.`, fix);
  });
  return [passed(`Server: ${server} is ready.`), ...(await Promise.all(findings))];
}

const withTrailingSlash = (address: string) => (address.endsWith('/') ? address : `${address}/`);
