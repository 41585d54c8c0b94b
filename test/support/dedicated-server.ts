import type { TestSystem } from './system.ts';
import { ServiceProcess } from './service-process.ts';

/** A second BFF on the same API, with settings for one test. */
export interface DedicatedServer {
  url: string;
  output: () => string;
  close: () => Promise<number>;
}

export const DEDICATED_SESSION_SECRET = 'a-session-secret-that-only-a-test-knows';
export const DEDICATED_VIEWER_SECRET = 'a-viewer-secret-that-only-a-test-knows-0';

const LISTENING = /^server listening on (http:\/\/localhost:\d+)$/m;

export async function startDedicatedServer(
  system: Pick<TestSystem, 'site' | 'api_base' | 'api_key' | 'sandbox'>,
  env: NodeJS.ProcessEnv = {},
): Promise<DedicatedServer> {
  const server = new ServiceProcess('packages/cli/src/server/main.ts', {
    SERVER_PORT: '0',
    CONNECT_API_BASE: system.api_base,
    SANDBOX_URL: system.sandbox,
    CONNECT_API_KEY: system.api_key,
    SESSION_SECRET: DEDICATED_SESSION_SECRET,
    VIEWER_SECRET: DEDICATED_VIEWER_SECRET,
    ALLOWED_ORIGINS: system.site,
    ...env,
  });
  await server.waitUntil(() => LISTENING.test(server.output), 'it listened');
  return {
    url: LISTENING.exec(server.output)![1]!,
    output: () => server.output,
    close: () => server.stop(),
  };
}
