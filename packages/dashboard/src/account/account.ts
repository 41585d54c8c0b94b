import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import type { Membership } from '@connect-embed/api/users/membership';
import { removalImpact, removeMember } from '@connect-embed/api/users/team';
import { readForm } from '@connect-embed/api/http/read-form';
import {
  checkNewPassword,
  currentPasswordField,
  newPasswordField,
} from '../sign-in/password-field.ts';
import { addCookies } from '../pages/sign-in-redirects.ts';
import { tooManyAttempts } from '../sign-in/too-many-attempts.ts';
import type { DashboardContext, DashboardEnv, PageContext } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { empty, facts, table, type Column } from '../pages/table.ts';
import { offboardingSummary } from '../team/member.ts';
import { ROLE_LABELS } from '../team/role-form.ts';
import { TWO_STEP_PATH } from '../pages/require-second-factor.ts';
import { twoStep } from './two-step/two-step.ts';

const PATH = '/dashboard/account';

/** Dashboard page for a person's own account: password, two-step sign-in and memberships. */
export const account = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .route('/two-step', twoStep(deps))
    .get('/', (c) => renderAccount(c))
    .post('/password', (c) => changePassword(c, deps))
    .route('/leave/:id', leaveAction(deps));

async function changePassword(c: DashboardContext, { loadPeople, signInAttempts }: Deps) {
  const field = await readForm(c);
  const problem = checkNewPassword(field('new_password'));
  if (problem) return renderAccount(c, problem);
  const attempt = await signInAttempts.countConfirmation(c.var.pageContext.person.id);
  if (attempt.waitSeconds > 0)
    return renderAccount(c, tooManyAttempts(c, attempt.waitSeconds), 429);
  const passwords = { currentPassword: field('password'), newPassword: field('new_password') };
  const people = await loadPeople();
  const cookies = await people.changePassword(c.req.raw.headers, passwords);
  if (!cookies) return renderAccount(c, 'The current password is wrong.');
  await attempt.markSucceeded();
  addCookies(c, cookies);
  const text = 'Password changed. You were signed out on all other devices.';
  return await c.var.redirectWithFlash(PATH, { kind: 'success', text });
}

const leaveAction = ({ db, webhooks }: Deps) =>
  actionRoutes<Membership>(
    {
      load: (c) => {
        const id = c.req.param('id') ?? '';
        const { memberships } = c.var.pageContext;
        const membership = memberships.find(({ organizationId }) => organizationId === id);
        if (!membership) throw notFound('membership', id);
        return Promise.resolve(membership);
      },
      page: () => ({ href: PATH, text: 'Account' }),
      missing: { path: () => PATH, problem: 'You are not a member of this organization.' },
    },
    {
      '': {
        confirmation: async ({ organizationId, organizationName }, c) => {
          const impact = await removalImpact(db, organizationId, c.var.pageContext.person.id);
          const text = html`<p>You will lose access to ${organizationName} immediately.</p>
            ${offboardingSummary(impact, organizationId)}`;
          const buttonLabel = `Leave ${organizationName}`;
          return { title: `Leave ${organizationName}?`, text, buttonLabel };
        },
        run: ({ organizationId }, c) => {
          const { id } = c.var.pageContext.person;
          const change = { organizationId, actorId: id, personId: id };
          return removeMember({ db, enqueue: webhooks.enqueue }, change);
        },
        success: ({ organizationName }) => `You left ${organizationName}.`,
      },
    },
  );

function renderAccount(c: DashboardContext, problem?: string, status?: 400 | 429) {
  return renderPage(c, {
    path: PATH,
    title: 'Account',
    content: view(c.var.pageContext),
    problem,
    ...(status && { status }),
  });
}

const view = ({ person, memberships }: PageContext) =>
  html`<section class="panel" aria-label="Profile">
      ${facts([
        ['Name', person.name],
        ['Email', person.email],
      ])}
    </section>
    <h2>Organizations</h2>
    ${
      memberships.length
        ? table('Organizations', COLUMNS, memberships)
        : empty('You are not a member of any organization.')
    }
    <h2>Two-step sign-in</h2>
    ${twoStepPanel(person.hasSecondFactor)}
    <h2 id="password-form">Change password</h2>
    <form method="post" action="${PATH}/password" class="panel" aria-labelledby="password-form">
      ${currentPasswordField} ${newPasswordField('New password')}
      <button>Change password</button>
    </form>`;

const twoStepPanel = (isOn: boolean) =>
  html`<section class="panel" aria-label="Two-step sign-in">
    <p>
      ${
        isOn
          ? html`<strong>On.</strong> You sign in with your password and a code from your
              authenticator app.`
          : html`<strong>Off.</strong> You sign in with your password only.`
      }
    </p>
    <p>
      <a class="button secondary" href="${TWO_STEP_PATH}"
        >${isOn ? 'Change two-step sign-in' : 'Set up two-step sign-in'}</a
      >
    </p>
  </section>`;

const COLUMNS: Column<Membership>[] = [
  { head: 'Name', as: 'rowHeader', cell: ({ organizationName }) => organizationName },
  { head: 'Role', cell: ({ role }) => ROLE_LABELS[role].text },
  {
    head: 'Leave',
    as: 'muted',
    cell: ({ organizationId, organizationName }) =>
      html`<a class="button danger" href="${PATH}/leave/${organizationId}"
        >Leave<span class="hidden"> ${organizationName}</span></a
      >`,
  },
];
