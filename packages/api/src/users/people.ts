import { emailKey } from '@connect-embed/contract/email-address';
import type { Secrets } from '@connect-embed/contract/secrets';
import { AsyncLocalStorage } from 'node:async_hooks';
import { isUniqueViolation } from '../db/constraint-errors.ts';
import type { Db } from '../db/schema.ts';
import { openAuth, undefinedIfRejected, type Auth, type PasswordReset } from './auth.ts';
import { EmailTakenError } from './errors.ts';
import { MIN_PASSWORD_LENGTH } from './password-rules.ts';
import { SecondFactor, type UseCode } from './second-factor.ts';

export interface Person {
  id: string;
  name: string;
  email: string;
  /** True if the person has turned two-step sign-in on. */
  hasSecondFactor: boolean;
}

/** Result of the first step of sign-in, a correct password. */
export interface PasswordStep {
  cookies: Headers;
  /** True if the person must also enter a code. Without the code nobody is signed in yet. */
  needsCode: boolean;
}

interface Options {
  secret: Secrets;
  baseUrl: string;
  /**
   * Marks authenticator codes as used, so that each is accepted once. Not needed by callers that
   * never sign anybody in.
   */
  useCode?: UseCode;
}

/**
 * People and their sign-in sessions (docs/decisions/0019-people-and-teams.md). Wraps the sign-in library
 * Better Auth.
 */
export class People {
  readonly secondFactor: SecondFactor;
  readonly #auth: Auth;
  readonly #resetListener = new AsyncLocalStorage<(reset: PasswordReset) => void>();
  readonly #resetDoneListener = new AsyncLocalStorage<(email: string) => void>();

  constructor(db: Db, { secret, baseUrl, useCode = async () => true }: Options) {
    this.#auth = openAuth(db, {
      secret,
      baseUrl,
      onReset: (reset) => this.#resetListener.getStore()?.(reset),
      onResetDone: (email) => this.#resetDoneListener.getStore()?.(email),
    });
    this.secondFactor = new SecondFactor(this.#auth, db, useCode);
  }

  /**
   * Checks an email address and its password, the first step of sign-in. The response time does
   * not reveal whether the address exists.
   *
   * @returns the cookies to set; undefined if the email address or the password is wrong
   */
  async signIn(
    email: string,
    password: string,
    requestHeaders: Headers,
  ): Promise<PasswordStep | undefined> {
    const headers = pickHeader(requestHeaders, 'user-agent');
    const body = { email, password };
    const result = await undefinedIfRejected(() =>
      this.#auth.api.signInEmail({ body, headers, returnHeaders: true }),
    );
    if (!result) return undefined;
    return { cookies: result.headers, needsCode: 'twoFactorRedirect' in result.response };
  }

  /**
   * Ends the session.
   *
   * @returns headers that delete the cookies
   */
  async signOut(requestHeaders: Headers): Promise<Headers> {
    const headers = pickHeader(requestHeaders, 'cookie');
    return (await this.#auth.api.signOut({ headers, returnHeaders: true })).headers;
  }

  /**
   * Returns the person of the session cookie; undefined if nobody is signed in. The session is read
   * from the database on each call.
   */
  async getPerson(requestHeaders: Headers): Promise<Person | undefined> {
    const headers = pickHeader(requestHeaders, 'cookie');
    const session = await this.#auth.api.getSession({ headers });
    if (!session) return undefined;
    const { id, name, email, twoFactorEnabled } = session.user;
    const hasSecondFactor = twoFactorEnabled === true;
    return { id, name, email, hasSecondFactor };
  }

  /**
   * Changes a person's own password and ends all their other sessions.
   *
   * @returns the cookies of this session; undefined if the current password is wrong
   */
  async changePassword(
    requestHeaders: Headers,
    passwords: { currentPassword: string; newPassword: string },
  ): Promise<Headers | undefined> {
    const body = { ...passwords, revokeOtherSessions: true };
    const headers = pickHeader(requestHeaders, 'cookie');
    const result = await undefinedIfRejected(() =>
      this.#auth.api.changePassword({ body, headers, returnHeaders: true }),
    );
    return result?.headers;
  }

  /**
   * Creates a password-reset token.
   *
   * @returns undefined if there is no account with this email address
   */
  async requestPasswordReset(email: string): Promise<PasswordReset | undefined> {
    let passwordReset: PasswordReset | undefined;
    const body = { email: emailKey(email) };
    await this.#resetListener.run(
      (reset) => (passwordReset = reset),
      () => this.#auth.api.requestPasswordReset({ body }),
    );
    return passwordReset;
  }

  /**
   * Sets a new password with a reset token and ends all sessions of the person.
   *
   * @returns the person's email address; undefined if the token was used or has expired
   */
  async resetPassword(token: string, newPassword: string): Promise<string | undefined> {
    return await undefinedIfRejected(async () => {
      let email: string | undefined;
      await this.#resetDoneListener.run(
        (personEmail) => (email = personEmail),
        () => this.#auth.api.resetPassword({ body: { token, newPassword } }),
      );
      return email;
    });
  }

  /**
   * Creates an account with a password and returns its id.
   *
   * @throws {EmailTakenError} if the email address has an account
   * @throws {Error} if the password is too short
   */
  async create(person: { name: string; email: string; password: string }): Promise<string> {
    if (person.password.length < MIN_PASSWORD_LENGTH) {
      throw new Error(`The password must have at least ${MIN_PASSWORD_LENGTH} characters.`);
    }
    const { internalAdapter, password } = await this.#auth.$context;
    const email = emailKey(person.email);
    if (await internalAdapter.findUserByEmail(email)) throw new EmailTakenError(email);
    const hash = await password.hash(person.password);
    const { id } = await internalAdapter
      .createUser({ name: person.name, email, emailVerified: true }, { method: 'email-password' })
      .catch((error: unknown) => {
        // A concurrent request created the account after the check above.
        if (isUniqueViolation(error)) throw new EmailTakenError(email);
        throw error;
      });
    const method = { userId: id, accountId: id, providerId: 'credential', password: hash };
    await internalAdapter.linkAccount(method);
    return id;
  }
}

/**
 * Returns a copy of the headers with only one header. Better Auth receives the copy, so that it
 * cannot depend on any other header.
 */
function pickHeader(headers: Headers, name: string): Headers {
  const value = headers.get(name);
  return new Headers(value === null ? {} : { [name]: value });
}
