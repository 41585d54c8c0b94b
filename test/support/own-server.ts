import type { House } from './house.ts';
import { RoomProcess } from './room-process.ts';

/** A second backend-for-frontend on the same API, with settings of a test's own. */
export interface OwnServer {
  url: string;
  output: () => string;
  close: () => Promise<number>;
}

export const OWN_SESSION_SECRET = 'a-session-secret-that-only-a-test-knows';
export const OWN_VIEWER_SECRET = 'a-viewer-secret-that-only-a-test-knows-0';

const LISTENING = /^server listening on (http:\/\/localhost:\d+)$/m;

export async function openOwnServer(
  house: Pick<House, 'site' | 'api_base' | 'api_key'>,
  env: NodeJS.ProcessEnv = {},
): Promise<OwnServer> {
  const server = new RoomProcess('server/main.ts', {
    SERVER_PORT: '0',
    CONNECT_API_BASE: house.api_base,
    CONNECT_API_KEY: house.api_key,
    SESSION_SECRET: OWN_SESSION_SECRET,
    VIEWER_SECRET: OWN_VIEWER_SECRET,
    ALLOWED_ORIGINS: house.site,
    ...env,
  });
  await server.until(() => LISTENING.test(server.output), 'it listened');
  return {
    url: LISTENING.exec(server.output)![1]!,
    output: () => server.output,
    close: () => server.stop(),
  };
}
