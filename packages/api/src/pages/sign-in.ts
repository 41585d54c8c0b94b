import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps, Env } from '../env.ts';
import { DEMO_PASSWORD, DEMO_PEOPLE } from '../users/demo-people.ts';
import { readForm } from './form.ts';
import { card } from './layout.ts';
import { safePath } from './same-site.ts';

const HOME = '/dashboard';

/** `GET /sign-in`, `POST /sign-in`, `POST /sign-out`. */
export const signIn = ({ people, attempts, processor }: Deps) =>
  new Hono<Env>()
    .get('/sign-in', async (c) => {
      const next = safePath(c.req.query('next'), HOME);
      if (await people.whoIs(c.req.raw.headers)) return c.redirect(next, 303);
      return c.html(view({ next, demo: !processor.livemode }));
    })
    .post('/sign-in', async (c) => {
      const field = await readForm(c);
      const email = field('email').trim();
      const next = safePath(field('next'), HOME);
      const wait = await attempts.take(email);
      const again = (status: 401 | 429, problem: string) =>
        c.html(view({ next, email, problem, demo: !processor.livemode }), status);
      if (wait > 0) {
        c.header('Retry-After', String(wait));
        return again(429, `Too many attempts. Try again in ${Math.ceil(wait / 60)} minutes.`);
      }
      const { headers } = c.req.raw;
      const cookies = await people.signIn(email, field('password'), headers);
      if (!cookies) return again(401, 'That e-mail address and password do not belong together.');
      await attempts.forgive(email);
      return redirectWith(c, cookies, next);
    })
    .post('/sign-out', async (c) => {
      const field = await readForm(c);
      const next = safePath(field('next'), HOME);
      const cookies = await people.signOut(c.req.raw.headers);
      return redirectWith(c, cookies, `/sign-in?${new URLSearchParams({ next })}`);
    });

function redirectWith(c: Context<Env>, cookies: Headers, path: string) {
  for (const cookie of cookies.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  return c.redirect(path, 303);
}

interface View {
  next: string;
  email?: string;
  problem?: string;
  demo: boolean;
}

const view = ({ next, email = '', problem, demo }: View) =>
  card(
    'Sign in',
    html`<h1>Sign in</h1>
      ${problem && html`<p class="notice problem" role="alert" id="problem">${problem}</p>`}
      <form method="post" action="/sign-in">
        <input type="hidden" name="next" value="${next}" />
        <div class="field">
          <label for="email">E-mail</label>
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
        <div class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="128"
            ${problem ? 'autofocus' : ''}
          />
        </div>
        <button>Sign in</button>
      </form>
      <p class="small"><a href="/forgot-password">Forgot your password?</a></p>
      ${demo && demoHint}`,
  );

/** Shown where no real money can move. */
const demoHint = html`<p class="notice small">
  Demonstration: sign in as <strong>${DEMO_PEOPLE[0].email}</strong> with the password
  <strong>${DEMO_PASSWORD}</strong>
</p>`;
