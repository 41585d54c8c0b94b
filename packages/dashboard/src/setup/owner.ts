import { ConnectError } from '@connect-embed/contract';
import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import {
  isEmpty,
  isSetupLink,
  redeemSetupLink,
  SETUP_PATH,
} from '@connect-embed/api/setup/setup-link';
import { createOwner, lacksOrganization } from '@connect-embed/api/setup/set-up';
import { rememberDevice } from '../sign-in/device-cookie.ts';
import { checkNewPassword, newPasswordField } from '../sign-in/password-field.ts';
import { addCookies, signInPath } from '../pages/sign-in-redirects.ts';
import { FormFields, readFields, type FormState } from '../pages/fields.ts';
import { input } from '../pages/field-view.ts';
import type { Deps } from '../pages/deps.ts';
import { cardPage, messagePage } from '@connect-embed/api/http/page-shell';
import { readForm } from '@connect-embed/api/http/read-form';
import { deleteSetupCookie, hasSetupCookie, setSetupCookie } from './setup-cookie.ts';
import { formProblem, setupPage } from './setup-layout.ts';

/** Path of the page that creates the first organization. */
export const ORGANIZATION_PATH = `${SETUP_PATH}/organization`;
const START_PATH = `${SETUP_PATH}/start`;

/**
 * `GET` and `POST /setup`: the page behind a setup link, where the first owner creates an account.
 * `POST /setup/start` uses the link: docs/decisions/0099-first-run-and-own-stripe-keys.md
 */
export const ownerSetup = (deps: Deps) =>
  new Hono<Env>()
    .get(SETUP_PATH, (c) => showOwnerForm(c, deps))
    .post(SETUP_PATH, (c) => submitOwner(c, deps))
    .post(START_PATH, (c) => exchangeLink(c, deps));

async function showOwnerForm(c: Context<Env>, deps: Deps) {
  const token = c.req.query('token');
  if (!(await isEmpty(deps.db))) return await afterSetup(c, deps);
  if (token !== undefined) return await showLink(c, deps, token);
  if (!(await hasSetupCookie(c, deps))) return c.html(linkNeeded, 403);
  return c.html(ownerPage(new FormFields()));
}

async function showLink(c: Context<Env>, deps: Deps, token: string) {
  if (await isSetupLink(deps.db, token)) return c.html(startPage(token));
  if (!(await hasSetupCookie(c, deps))) return c.html(linkExpired, 410);
  // The link was used in this browser.
  return c.redirect(SETUP_PATH, 303);
}

/**
 * Exchanges the token of the link for a cookie. This takes a button, because programs that check links
 * or preview them open each one, and must not use it up.
 */
async function exchangeLink(c: Context<Env>, deps: Deps) {
  if (!(await isEmpty(deps.db))) return await afterSetup(c, deps);
  const token = (await readForm(c))('token');
  const cookieToken = await redeemSetupLink(deps.db, token);
  if (cookieToken) setSetupCookie(c, deps, cookieToken);
  else if (!(await hasSetupCookie(c, deps))) return c.html(linkExpired, 410);
  return c.redirect(SETUP_PATH, 303);
}

async function submitOwner(c: Context<Env>, deps: Deps) {
  if (!(await isEmpty(deps.db))) return await afterSetup(c, deps);
  if (!(await hasSetupCookie(c, deps))) return c.html(linkExpired, 410);
  const form = await readFields(c);
  const owner = {
    name: form.text('name', 100) ?? '',
    email: form.email('email') ?? '',
    password: form.value('new_password'),
  };
  if (!owner.name) form.addError('name', 'Enter your name.');
  if (!owner.email) form.addError('email', 'Enter your email address.');
  const passwordProblem = checkNewPassword(owner.password);
  if (passwordProblem) form.addError('new_password', passwordProblem);
  if (form.hasErrors) return c.html(ownerPage(form), 400);
  const people = await deps.loadPeople();
  try {
    await createOwner(deps.db, people, owner);
  } catch (error) {
    if (error instanceof ConnectError && error.type === 'conflict')
      return await afterSetup(c, deps);
    throw error;
  }
  deleteSetupCookie(c);
  const signedIn = await people.signIn(owner.email, owner.password, c.req.raw.headers);
  addCookies(c, signedIn?.cookies);
  await rememberDevice(c, deps, owner.email);
  return c.redirect(ORGANIZATION_PATH, 303);
}

/** Responds after the owner has an account: the link is dead. */
async function afterSetup(c: Context<Env>, { db }: Deps) {
  const isUnfinished = await lacksOrganization(db);
  const [title, text, next] = isUnfinished
    ? ([
        'Sign in to continue the setup',
        'The owner’s account was created.',
        ORGANIZATION_PATH,
      ] as const)
    : (['The setup is complete', 'This link is not valid any more.', '/dashboard'] as const);
  return c.html(messagePage(title, text, { href: signInPath(next), text: 'Sign in' }), 410);
}

const startPage = (token: string) =>
  cardPage(
    'Set up Connect',
    html`<h1>Set up Connect</h1>
      <p class="muted">
        You create your account and describe your organization. That takes a few minutes.
      </p>
      <form method="post" action="${START_PATH}">
        <input type="hidden" name="token" value="${token}" />
        <button>Start setup</button>
      </form>`,
  );

const ownerPage = (draft: FormState) => {
  const passwordProblem = draft.problems.get('new_password');
  return setupPage(
    1,
    'Create your account',
    html`<p class="muted">
        Welcome to Connect. You become the owner of this installation, and can invite others later.
      </p>
      ${formProblem(draft)}
      <form method="post" action="${SETUP_PATH}" novalidate>
        ${input(draft, { name: 'name', label: 'Your name', required: true, max: 100 })}
        ${input(draft, {
          name: 'email',
          label: 'Email',
          hint: 'You sign in with it.',
          type: 'email',
          required: true,
          max: 254,
        })}
        ${newPasswordField('Password')}
        ${passwordProblem ? html`<p class="small wrong">${passwordProblem}</p>` : ''}
        <button>Continue</button>
      </form>`,
  );
};

const NEW_LINK = html`To get a new link, restart the service: it prints one when it starts. Or run
  <code>connect-embed setup-link</code> on its server.`;

const linkNeeded = messagePage(
  'Open the setup link',
  html`Nobody has set up this installation yet. You need the setup link to do it. ${NEW_LINK}`,
);

const linkExpired = messagePage(
  'This setup link is no longer valid',
  html`A setup link works once and for an hour. ${NEW_LINK}`,
);
