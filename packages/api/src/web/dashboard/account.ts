import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../deps.ts';
import type { Membership } from '../../users/membership.ts';
import { removalImpact, removeMember } from '../../users/team.ts';
import { readForm } from '../read-form.ts';
import { checkNewPassword, newPasswordField } from '../account/password-field.ts';
import { tooManyAttempts } from '../account/too-many-attempts.ts';
import { confirmation } from './confirmation.ts';
import type { DashboardEnv, FlashMessage, PageContext } from './env.ts';
import { dashboardPage } from './dashboard-layout.ts';
import { empty, facts, table, type Column } from './table.ts';
import { offboardingSummary } from './team/member.ts';
import { ROLE_LABELS } from './team/role-form.ts';
import { resultOrFormError } from './to-form-error.ts';
import { TWO_STEP_PATH, twoStep } from './two-step/two-step.ts';

const PATH = '/dashboard/account';

/** Dashboard page for a person's own account: password, two-step sign-in and memberships. */
export const account = (deps: Deps) => {
  const { db, people } = deps;
  return new Hono<DashboardEnv>()
    .route('/two-step', twoStep(deps))
    .get('/', (c) => c.html(view(c.var.pageContext)))
    .post('/password', async (c) => {
      const { pageContext } = c.var;
      const field = await readForm(c);
      const showProblem = (text: string, status: 400 | 429 = 400) =>
        c.html(view(pageContext, { kind: 'problem', text }), status);
      const problem = checkNewPassword(field('new_password'));
      if (problem) return showProblem(problem);
      const attempt = await deps.signInAttempts.countConfirmation(pageContext.person.id);
      if (attempt.waitSeconds > 0) return showProblem(tooManyAttempts(c, attempt.waitSeconds), 429);
      const passwords = { currentPassword: field('password'), newPassword: field('new_password') };
      const cookies = await people.changePassword(c.req.raw.headers, passwords);
      if (!cookies) return showProblem('The current password is wrong.');
      await attempt.markSucceeded();
      for (const cookie of cookies.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
      const text = 'Password changed. You were signed out on all other devices.';
      return await c.var.redirectWithFlash(PATH, { kind: 'success', text });
    })
    .get('/leave/:id', async (c) => {
      const membership = membershipOf(c);
      if (!membership) return c.redirect(PATH, 303);
      const { organizationId, organizationName } = membership;
      const impact = await removalImpact(db, organizationId, c.var.pageContext.person.id);
      const text = html`<p>You will lose access to ${organizationName} immediately.</p>
        ${offboardingSummary(impact, organizationId)}`;
      const pageContext = {
        ...c.var.pageContext,
        path: PATH,
        backLink: { href: PATH, text: 'Account' },
      };
      const content = confirmation({
        text,
        buttonLabel: `Leave ${organizationName}`,
        cancelHref: PATH,
      });
      return c.html(dashboardPage(pageContext, `Leave ${organizationName}?`, content));
    })
    .post('/leave/:id', async (c) => {
      const membership = membershipOf(c);
      if (!membership) return c.redirect(PATH, 303);
      const { organizationId, organizationName } = membership;
      const { id } = c.var.pageContext.person;
      const problem = await resultOrFormError(() =>
        removeMember(db, { organizationId, actorId: id, personId: id }),
      );
      const text = problem ?? `You left ${organizationName}.`;
      return await c.var.redirectWithFlash(PATH, { kind: problem ? 'problem' : 'success', text });
    });
};

const membershipOf = (c: Context<DashboardEnv>) =>
  c.var.pageContext.memberships.find(({ organizationId }) => organizationId === c.req.param('id'));

const view = (pageContext: PageContext, flash?: FlashMessage) =>
  dashboardPage(
    { ...pageContext, path: PATH },
    'Account',
    html`<section class="panel" aria-label="Profile">
        ${facts([
          ['Name', pageContext.person.name],
          ['Email', pageContext.person.email],
        ])}
      </section>
      <h2>Organizations</h2>
      ${
        pageContext.memberships.length
          ? table('Organizations', COLUMNS, pageContext.memberships)
          : empty('You are not a member of any organization.')
      }
      <h2>Two-step sign-in</h2>
      <section class="panel" aria-label="Two-step sign-in">
        <p>
          ${
            pageContext.person.hasSecondFactor
              ? html`<strong>On.</strong> You sign in with your password and a code from your
                  authenticator app.`
              : html`<strong>Off.</strong> You sign in with your password only.`
          }
        </p>
        <p>
          <a class="button secondary" href="${TWO_STEP_PATH}"
            >${pageContext.person.hasSecondFactor ? 'Change two-step sign-in' : 'Set up two-step sign-in'}</a
          >
        </p>
      </section>
      <h2 id="password-form">Change password</h2>
      <form method="post" action="${PATH}/password" class="panel" aria-labelledby="password-form">
        <div class="field">
          <label for="password">Current password</label>
          <input
            id="password"
            name="password"
            type="password"
            autocomplete="current-password"
            required
            maxlength="128"
          />
        </div>
        ${newPasswordField('New password')}
        <button>Change password</button>
      </form>`,
    flash ?? pageContext.flash,
  );

const COLUMNS: Column<Membership>[] = [
  { head: 'Name', as: 'rowHeader', cell: ({ organizationName }) => organizationName },
  { head: 'Role', cell: ({ role }) => ROLE_LABELS[role].title },
  {
    head: 'Leave',
    as: 'muted',
    cell: ({ organizationId, organizationName }) =>
      html`<a class="button danger" href="${PATH}/leave/${organizationId}"
        >Leave<span class="hidden"> ${organizationName}</span></a
      >`,
  },
];
