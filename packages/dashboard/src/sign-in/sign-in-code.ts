import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import { anyCodeField, authenticatorCodeField } from './code-field.ts';
import { rememberDevice } from './device-cookie.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { cardPage, messagePage } from '@connect-embed/api/http/page-shell';
import { safePath } from '../pages/same-site.ts';
import { redirectWith, signInPath } from '../pages/sign-in-redirects.ts';
import { tooManyAttempts } from './too-many-attempts.ts';

export const CODE_PATH = '/sign-in/code';
const HOME = '/dashboard';

/** `GET` and `POST /sign-in/code`: the second step of two-step sign-in. */
export const signInCode = (deps: Deps) =>
  new Hono<Env>()
    .get(CODE_PATH, async (c) => {
      const next = safePath(c.req.query('next'), HOME);
      const { secondFactor } = await deps.loadPeople();
      if (!secondFactor.hasChallenge(c.req.raw.headers)) return c.redirect(signInPath(next), 303);
      return c.html(view({ next, usesBackupCode: c.req.query('with') === 'backup-code' }));
    })
    .post(CODE_PATH, async (c) => {
      const field = await readForm(c);
      const next = safePath(field('next'), HOME);
      const usesBackupCode = field('with') === 'backup-code';
      const renderProblem = (status: 401 | 429, problem: string) =>
        c.html(view({ next, usesBackupCode, problem }), status);
      const attempt = await deps.signInAttempts.countCode(deps.getClientAddress(c.req.raw, c.env));
      if (attempt.waitSeconds > 0)
        return renderProblem(429, tooManyAttempts(c, attempt.waitSeconds));
      const { secondFactor } = await deps.loadPeople();
      const result = await secondFactor.enterCode(c.req.raw.headers, field('code'));
      if (result.kind === 'expired') return c.html(expiredPage(next), 401);
      if (result.kind === 'wrong') {
        const hint = usesBackupCode
          ? 'Each backup code works once.'
          : 'Enter the next code from your app.';
        return renderProblem(401, `The code is wrong. ${hint}`);
      }
      await attempt.markSucceeded();
      await rememberDevice(c, deps, result.email);
      return redirectWith(c, result.cookies, next);
    });

/**
 * Renders the page for a sign-in that cannot continue. It has one message for all causes, so that
 * an attacker does not learn which cause applies.
 */
const expiredPage = (next: string) =>
  messagePage(
    'Sign in again',
    'The sign-in expired, the code was already used, or too many codes were wrong. After too many wrong codes, wait 15 minutes.',
    { href: signInPath(next), text: 'Back to sign-in' },
  );

interface View {
  next: string;
  usesBackupCode: boolean;
  problem?: string;
}

const view = ({ next, usesBackupCode, problem }: View) => {
  const query = new URLSearchParams({ next, ...(!usesBackupCode && { with: 'backup-code' }) });
  return cardPage(
    'Enter your code',
    html`<h1>Enter your code</h1>
      ${problem && html`<p class="notice problem" role="alert" id="problem">${problem}</p>`}
      <form method="post" action="${CODE_PATH}">
        <input type="hidden" name="next" value="${next}" />
        ${
          usesBackupCode
            ? html`<input type="hidden" name="with" value="backup-code" />
                ${anyCodeField('Enter one of your backup codes. Each code works once.', Boolean(problem))}`
            : authenticatorCodeField(
                'Enter the six-digit code from your authenticator app.',
                Boolean(problem),
              )
        }
        <button>Sign in</button>
      </form>
      <p class="small">
        <a href="${CODE_PATH}?${query}"
          >${usesBackupCode ? 'Use your authenticator app' : 'Use a backup code'}</a
        >
      </p>`,
  );
};
