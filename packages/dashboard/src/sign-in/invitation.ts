import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import type { Deps } from '../pages/deps.ts';
import {
  acceptInvitation,
  findInvitation,
  type OpenInvitation,
} from '@connect-embed/api/users/invitations';
import { INVITATION_PATH } from '@connect-embed/api/users/links';
import { EmailTakenError } from '@connect-embed/api/users/errors';
import { rememberDevice } from './device-cookie.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { cardPage, messagePage } from '@connect-embed/api/http/page-shell';
import type { Html } from '@connect-embed/api/lib/html';
import { checkNewPassword, newPasswordField } from './password-field.ts';
import { addCookies, signInPath } from '../pages/sign-in-redirects.ts';

/**
 * `GET` and `POST /invitation`: the page behind an invitation link, where a person joins an
 * organization.
 *
 * An invitation is valid only for its email address. A person who is signed in with another
 * address is asked to sign out, one who has an account signs in first, and one without an account
 * creates it here.
 */
export const invitation = (deps: Deps) =>
  new Hono<Env>()
    .get(INVITATION_PATH, (c) => showInvitation(deps, c))
    .post(INVITATION_PATH, (c) => acceptOrSignUp(deps, c));

async function showInvitation(deps: Deps, c: Context<Env>) {
  const token = c.req.query('token') ?? '';
  const loaded = await loadInvitation(deps, c, token);
  if (!loaded) return c.html(invitationExpired, 410);
  const { openInvitation, signedIn, existingPerson } = loaded;
  if (signedIn?.email === openInvitation.email)
    return c.html(invitationPage(openInvitation, joinForm(token)));
  if (signedIn)
    return c.html(
      invitationPage(openInvitation, wrongAccountNotice(openInvitation, token, signedIn.email)),
    );
  return c.html(
    invitationPage(
      openInvitation,
      existingPerson ? signInPrompt(token) : signUpForm(openInvitation, token),
    ),
  );
}

async function acceptOrSignUp(deps: Deps, c: Context<Env>) {
  const field = await readForm(c);
  const token = field('token');
  const loaded = await loadInvitation(deps, c, token);
  if (!loaded) return c.html(invitationExpired, 410);
  const { openInvitation, signedIn, existingPerson } = loaded;
  if (signedIn?.email === openInvitation.email) {
    const joined = await acceptInvitation(deps.db, token, signedIn.id);
    return joined ? c.redirect(homePath(openInvitation), 303) : c.html(invitationExpired, 410);
  }
  if (signedIn || existingPerson) return c.redirect(invitationPath(token), 303);
  const name = field('name').trim().slice(0, 100);
  const password = field('new_password');
  const problem = name ? checkNewPassword(password) : 'Enter your name.';
  if (problem)
    return c.html(
      invitationPage(openInvitation, signUpForm(openInvitation, token, name, problem)),
      400,
    );
  return await signUp(deps, c, openInvitation, { token, name, password });
}

/** Creates an account, accepts the invitation with it and signs the person in. */
async function signUp(
  deps: Deps,
  c: Context<Env>,
  openInvitation: OpenInvitation,
  { token, name, password }: { token: string; name: string; password: string },
) {
  const { db, loadPeople } = deps;
  const people = await loadPeople();
  const { email } = openInvitation;
  const id = await people.create({ name, email, password }).catch((error: unknown) => {
    if (error instanceof EmailTakenError) return undefined;
    throw error;
  });
  if (!id) return c.redirect(invitationPath(token), 303);
  if (!(await acceptInvitation(db, token, id))) return c.html(invitationExpired, 410);
  const signedUp = await people.signIn(email, password, c.req.raw.headers);
  addCookies(c, signedUp?.cookies);
  if (signedUp) await rememberDevice(c, deps, email);
  return c.redirect(homePath(openInvitation), 303);
}

/**
 * Loads the invitation, the signed-in person, and the person who has an account with the email
 * address of the invitation.
 */
async function loadInvitation({ db, loadPeople }: Deps, c: Context<Env>, token: string) {
  const openInvitation = await findInvitation(db, token);
  if (!openInvitation) return undefined;
  const people = await loadPeople();
  const signedIn = await people.getPerson(c.req.raw.headers);
  const existingPerson = await db
    .selectFrom('person')
    .select('id')
    .where('email', '=', openInvitation.email)
    .executeTakeFirst();
  return { openInvitation, signedIn, existingPerson };
}

const homePath = ({ organization_id }: OpenInvitation) => `/dashboard/${organization_id}`;

const invitationPath = (token: string) => `${INVITATION_PATH}?${new URLSearchParams({ token })}`;

const invitationExpired = messagePage(
  'This invitation is no longer valid',
  'It was accepted or withdrawn, or is more than a week old. Ask the sender for a new one.',
  { href: '/dashboard', text: 'Go to the dashboard' },
);

const ROLE_NAMES = { owner: 'an owner', admin: 'an admin', member: 'a member' } as const;

const invitationPage = (openInvitation: OpenInvitation, content: Html) =>
  cardPage(
    `Join ${openInvitation.organization_name}`,
    html`<h1>Join ${openInvitation.organization_name}</h1>
      <p class="muted">
        ${openInvitation.invited_by ?? 'A team member'} invited you to join
        ${openInvitation.organization_name} as ${ROLE_NAMES[openInvitation.role]}.
      </p>
      ${content}`,
  );

const tokenField = (token: string) => html`<input type="hidden" name="token" value="${token}" />`;

const joinForm = (token: string) =>
  html`<form method="post" action="${INVITATION_PATH}">
    ${tokenField(token)}
    <button>Join</button>
  </form>`;

const wrongAccountNotice = ({ email }: OpenInvitation, token: string, currentEmail: string) =>
  html`<p class="notice">
      The invitation is for ${email}, but you are signed in as ${currentEmail}.
    </p>
    <form method="post" action="/sign-out">
      <input type="hidden" name="next" value="${invitationPath(token)}" />
      <button>Sign out and continue</button>
    </form>`;

const signInPrompt = (token: string) =>
  html`<p>
    <a class="button" href="${signInPath(invitationPath(token))}"> Sign in to join </a>
  </p>`;

const signUpForm = ({ email }: OpenInvitation, token: string, name = '', problem?: string) =>
  html`${problem && html`<p class="notice problem" role="alert">${problem}</p>`}
    <form method="post" action="${INVITATION_PATH}">
      ${tokenField(token)}
      <div class="field">
        <label for="email">Email</label>
        <input id="email" type="email" value="${email}" autocomplete="username" readonly />
      </div>
      <div class="field">
        <label for="name">Your name</label>
        <input id="name" name="name" value="${name}" autocomplete="name" required maxlength="100" />
      </div>
      ${newPasswordField('Password')}
      <button>Join</button>
    </form>`;
