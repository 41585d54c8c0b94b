import { normalizeEmail } from '@connect-embed/contract/email-address';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import { mailErrorCode } from '@connect-embed/api/mail/transport';
import { RESET_PATH, resetLink } from '@connect-embed/api/users/links';
import { passwordResetEmail } from '@connect-embed/api/users/people-mail';
import { rememberDevice } from './device-cookie.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { cardPage, messagePage } from '@connect-embed/api/http/page-shell';
import { checkNewPassword, newPasswordField } from './password-field.ts';

/**
 * `GET` and `POST /forgot-password` and `/reset-password`: emails a password-reset link and sets a
 * new password.
 */
export const forgotPassword = (deps: Deps) => {
  const { loadPeople, peopleMail } = deps;
  return new Hono<Env>()
    .get('/forgot-password', (c) => c.html(peopleMail ? requestResetView : mailDisabledPage))
    .post('/forgot-password', async (c) => {
      if (!peopleMail) return c.html(mailDisabledPage, 409);
      const email = normalizeEmail((await readForm(c))('email'));
      // Not awaited, so that the response time does not reveal whether an account exists.
      void sendReset(deps, email, deps.getClientAddress(c.req.raw, c.env)).catch((err: unknown) =>
        deps.log.warn({ reason: mailErrorCode(err) }, 'the password reset email was not sent'),
      );
      const text =
        'If this address has an account, we sent a link to it. The link works once and expires in an hour.';
      return c.html(messagePage('Check your email', text, SIGN_IN_LINK));
    })
    .get(RESET_PATH, (c) => c.html(resetView(c.req.query('token') ?? '')))
    .post(RESET_PATH, async (c) => {
      const field = await readForm(c);
      const token = field('token');
      const problem = checkNewPassword(field('new_password'));
      if (problem) return c.html(resetView(token, problem), 400);
      const people = await loadPeople();
      const email = await people.resetPassword(token, field('new_password'));
      if (!email) {
        const text = 'The link was already used or is more than an hour old. Request a new one.';
        const retryLink = { href: '/forgot-password', text: 'Request new link' };
        return c.html(messagePage('This link has expired', text, retryLink), 400);
      }
      // The link proves access to the mailbox. Wrong passwords from other browsers must therefore
      // no longer lock this browser out.
      await rememberDevice(c, deps, email);
      const text = 'You were signed out on all devices. Sign in with your new password.';
      return c.html(messagePage('Password changed', text, SIGN_IN_LINK));
    });
};

const SIGN_IN_LINK = { href: '/sign-in', text: 'Go to sign-in' };

/**
 * Sends the reset link. The number of requests is limited, so that nobody's mailbox can be flooded.
 * Requests for unknown addresses count as well.
 */
async function sendReset(
  { loadPeople, peopleMail, signInAttempts, baseUrl }: Deps,
  email: string,
  address: string | undefined,
) {
  if (!(await signInAttempts.countReset(email, address))) return;
  const people = await loadPeople();
  const reset = await people.requestPasswordReset(email);
  if (!reset) return;
  const to = { name: reset.name, address: reset.email };
  await peopleMail?.send(to, passwordResetEmail(resetLink(baseUrl, reset.token)));
}

const mailDisabledPage = messagePage(
  'Reset your password',
  'This service does not send email. Its operator can create a link for you with: connect-embed people reset-password <your email>',
  SIGN_IN_LINK,
);

const requestResetView = cardPage(
  'Forgot your password?',
  html`<h1>Forgot your password?</h1>
    <p class="muted">We will email you a link to choose a new password.</p>
    <form method="post" action="/forgot-password">
      <div class="field">
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          maxlength="254"
          autofocus
        />
      </div>
      <button>Send link</button>
    </form>
    <p class="small"><a href="/sign-in">Back to sign-in</a></p>`,
);

const resetView = (token: string, problem?: string) =>
  cardPage(
    'Choose a new password',
    html`<h1>Choose a new password</h1>
      ${problem && html`<p class="notice problem" role="alert">${problem}</p>`}
      <form method="post" action="${RESET_PATH}">
        <input type="hidden" name="token" value="${token}" />
        ${newPasswordField('New password')}
        <button>Change password</button>
      </form>`,
  );
