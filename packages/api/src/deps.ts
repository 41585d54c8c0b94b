import type { LiveStreams } from './live/live-streams.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import type { RequestDeps } from './payments/deps.ts';

/** The dependencies of the API, passed to `createApp`. Pages have more of their own. */
export interface Deps extends RequestDeps {
  /** Live streams of changes (`GET /live`). */
  liveStreams: LiveStreams;
  /** Loads the OAuth authorization server at its first request. */
  loadAuthorizationServer: () => Promise<AuthorizationServer>;
}
