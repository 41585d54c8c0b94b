import type { Config } from '@connect-embed/api/config';
import type { OpenDatabase } from '@connect-embed/api/db/database';
import type { Deps as ApiDeps } from '@connect-embed/api/deps';
import type { ServerSettings } from '@connect-embed/api/db/own-server';
import { createEncrypter, type Encrypter } from '@connect-embed/api/lib/encrypter';
import { lazy } from '@connect-embed/api/lib/lazy';
import type { People } from '@connect-embed/api/users/people';
import { openPeopleMail, type PeopleMail } from '@connect-embed/api/users/people-mail';
import { SignInAttempts } from '@connect-embed/api/users/sign-in-attempts';

/** The dependencies of the pages of members: those of the API, and their own. */
export interface Deps extends ApiDeps, ServerSettings {
  /** Encrypts the dashboard's search terms in the URL of a list. */
  searchEncrypter: Encrypter;
  /** Encrypts the result of a form (flash message) for the page after the redirect. */
  flashEncrypter: Encrypter;
  /** Encrypts the cookie of a browser in which a user has signed in. */
  deviceEncrypter: Encrypter;
  /** Encrypts the secret of an authenticator app between the pages that set it up. */
  twoStepSetupEncrypter: Encrypter;
  /** Loads the functions for accounts and sessions at the first request to a page. */
  loadPeople: () => Promise<People>;
  /** Limits wrong passwords and codes, and requests to reset a password. */
  signInAttempts: SignInAttempts;
  /** Undefined if no email can be sent. */
  peopleMail: PeopleMail | undefined;
}

/** Creates the dependencies of the pages of members. */
export function createDeps(config: Config, { db, pool }: OpenDatabase, api: ApiDeps): Deps {
  const { baseUrl } = config;
  const secret = config.loadOrCreateSecret();
  const signInAttempts = new SignInAttempts(pool);
  return {
    ...api,
    serverBaseUrl: config.serverBaseUrl,
    serverApiKey: config.serverApiKey,
    searchEncrypter: createEncrypter(secret, 'search'),
    flashEncrypter: createEncrypter(secret, 'flash message'),
    deviceEncrypter: createEncrypter(secret, 'device'),
    twoStepSetupEncrypter: createEncrypter(secret, 'second factor'),
    // The libraries for sign-in are large, and a process that never needs them starts without them.
    loadPeople: lazy(async () => {
      const { People } = await import('@connect-embed/api/users/people');
      return new People(db, {
        secret,
        baseUrl,
        useCode: (personId, code) => signInAttempts.useCode(personId, code),
      });
    }),
    signInAttempts,
    peopleMail: openPeopleMail(config.mail),
  };
}
