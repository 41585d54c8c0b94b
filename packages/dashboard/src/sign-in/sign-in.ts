import { normalizeEmail } from '@connect-embed/contract/email-address';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import { isEmpty, SETUP_PATH } from '@connect-embed/api/setup/setup-link';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '@connect-embed/api/users/demo-people';
import { readDeviceId, rememberDevice } from './device-cookie.ts';
import { passwordField } from './password-field.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { cardPage } from '@connect-embed/api/http/page-shell';
import { safePath } from '../pages/same-site.ts';
import { redirectWith, signInPath } from '../pages/sign-in-redirects.ts';
import { CODE_PATH } from './sign-in-code.ts';
import { tooManyAttempts } from './too-many-attempts.ts';

const HOME = '/dashboard';

/** `GET /sign-in`, `POST /sign-in` and `POST /sign-out`. */
export const signIn = (deps: Deps) => {
  const { loadPeople, signInAttempts } = deps;
  return new Hono<Env>()
    .get('/sign-in', async (c) => {
      if (await isEmpty(deps.db)) return c.redirect(SETUP_PATH, 303);
      const next = safePath(c.req.query('next'), HOME);
      const people = await loadPeople();
      if (await people.getPerson(c.req.raw.headers)) return c.redirect(next, 303);
      return c.html(view({ next, showsDemoHint: await hasDemoPeople(deps) }));
    })
    .post('/sign-in', async (c) => {
      const field = await readForm(c);
      const email = normalizeEmail(field('email'));
      const next = safePath(field('next'), HOME);
      const device = await readDeviceId(c, deps, email);
      const address = deps.getClientAddress(c.req.raw, c.env);
      const attempt = await signInAttempts.countSignIn({ email, address, device });
      const renderProblem = async (status: 401 | 429, problem: string) =>
        c.html(view({ next, email, problem, showsDemoHint: await hasDemoPeople(deps) }), status);
      if (attempt.waitSeconds > 0)
        return await renderProblem(429, tooManyAttempts(c, attempt.waitSeconds));
      const { headers } = c.req.raw;
      const people = await loadPeople();
      const step = await people.signIn(email, field('password'), headers);
      if (!step) return await renderProblem(401, 'The email address or password is wrong.');
      await attempt.markSucceeded();
      if (step.needsCode) {
        return redirectWith(c, step.cookies, `${CODE_PATH}?${new URLSearchParams({ next })}`);
      }
      await rememberDevice(c, deps, email);
      return redirectWith(c, step.cookies, next);
    })
    .post('/sign-out', async (c) => {
      const field = await readForm(c);
      const next = safePath(field('next'), HOME);
      const people = await loadPeople();
      const cookies = await people.signOut(c.req.raw.headers);
      return redirectWith(c, cookies, signInPath(next));
    });
};

/** Whether the database contains the demo accounts, which exist only in test mode. */
const hasDemoPeople = async ({ db, processor }: Deps): Promise<boolean> =>
  !processor.livemode &&
  (await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', DEMO_PEOPLE[0].email)
    .executeTakeFirst()) !== undefined;

interface View {
  next: string;
  email?: string;
  problem?: string;
  showsDemoHint: boolean;
}

const view = ({ next, email = '', problem, showsDemoHint }: View) =>
  cardPage(
    'Sign in',
    html`<h1>Sign in</h1>
      ${problem && html`<p class="notice problem" role="alert" id="problem">${problem}</p>`}
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <div class="field">
          <label for="email">Email</label>
          <input
            id="email"
            name="email"
            type="email"
            value="${email}"
            autocomplete="username"
            required
            maxlength="254"
            ${problem ? html`aria-describedby="problem"` : 'autofocus'}
          />
        </div>
        ${passwordField('Password', Boolean(problem))}
        <button>Sign in</button>
      </form>
      <p class="small"><a href="/forgot-password">Forgot your password?</a></p>
      ${showsDemoHint && demoHint}`,
  );

/**
 * Credentials of a demo account. They are shown only in test mode, in which no real money is moved.
 */
const demoHint = html`<p class="notice small">
  Demo: sign in as <strong>${DEMO_PEOPLE[0].email}</strong> with the password
  <strong>${DEMO_PASSWORD}</strong>
</p>`;
