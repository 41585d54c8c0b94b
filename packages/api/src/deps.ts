import type { Encrypter } from './lib/encrypter.ts';
import type { LiveStreams } from './live/live-streams.ts';
import type { AuthorizationServer } from './oauth/authorization-server.ts';
import type { RequestDeps } from './payments/deps.ts';
import type { PeopleMail } from './users/people-mail.ts';
import type { People } from './users/people.ts';
import type { SignInAttempts } from './users/sign-in-attempts.ts';

/** The dependencies of the complete API with its pages, passed to `createApp`. */
export interface Deps extends RequestDeps {
  /** Encrypts the visitor token of hosted pages. */
  visitorEncrypter: Encrypter;
  /** Public URL of the server (BFF) that the snippets of forms name; undefined if it is not known. */
  serverBaseUrl: string | undefined;
  /** API key of the server, which the setup of the first organization stores. */
  serverApiKey: string | undefined;
  /** Encrypts the dashboard's search terms in the URL of a list. */
  searchEncrypter: Encrypter;
  /** Encrypts the result of a form (flash message) for the page after the redirect. */
  flashEncrypter: Encrypter;
  /** Encrypts the cookie of a browser in which a user has signed in. */
  deviceEncrypter: Encrypter;
  /** Encrypts the secret of an authenticator app between the pages that set it up. */
  twoStepSetupEncrypter: Encrypter;
  /** Folder of the built `connect.js`, for hosted pages. */
  scriptsDir: string;
  /** Live streams of changes (`GET /live`). */
  liveStreams: LiveStreams;
  /** Loads the functions for accounts and sessions at the first request to a page. */
  loadPeople: () => Promise<People>;
  /** Limits wrong passwords and codes, and requests to reset a password. */
  signInAttempts: SignInAttempts;
  /** Undefined if no email can be sent. */
  peopleMail: PeopleMail | undefined;
  /** Loads the OAuth authorization server at its first request. */
  loadAuthorizationServer: () => Promise<AuthorizationServer>;
}
