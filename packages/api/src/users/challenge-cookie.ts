/** The cookie of Better Auth that is set after a correct password, when a code is still required. */
const CHALLENGE_COOKIE = /^(__Secure-)?connect\.two_factor=/;

/**
 * Returns headers with only the cookie that was set after the correct password. With a session
 * cookie in the request, Better Auth would check the code for the person of that session instead.
 */
export function pickChallengeCookie(from: Headers): Headers {
  const cookies = (from.get('cookie') ?? '').split(/; */);
  return new Headers({ cookie: cookies.filter((text) => CHALLENGE_COOKIE.test(text)).join('; ') });
}

/**
 * Returns whether a correct password was entered in this browser and the code must still be
 * entered.
 */
export const hasChallenge = (from: Headers) => pickChallengeCookie(from).get('cookie') !== '';
