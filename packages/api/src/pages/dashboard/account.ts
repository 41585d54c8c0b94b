import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../../env.ts';
import type { Membership } from '../../users/membership.ts';
import { resourcesCreatedBy, removeMember } from '../../users/team.ts';
import { readForm } from '../read-form.ts';
import { checkNewPassword, newPasswordField } from '../password-field.ts';
import { tooManyAttempts } from '../too-many-attempts.ts';
import { confirmation } from './confirmation.ts';
import type { DashboardEnv } from './dashboard.ts';
import { frame, type FlashMessage, type PageContext } from './dashboard-layout.ts';
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
    .get('/', (c) => c.html(view(c.var.place)))
    .post('/password', async (c) => {
      const { place } = c.var;
      const field = await readForm(c);
      const showProblem = (text: string, status: 400 | 429 = 400) =>
        c.html(view(place, { kind: 'problem', text }), status);
      const problem = checkNewPassword(field('new_password'));
      if (problem) return showProblem(problem);
      const attempt = await deps.signInAttempts.confirm(place.person.id);
      if (attempt.waitSeconds > 0) return showProblem(tooManyAttempts(c, attempt.waitSeconds), 429);
      const passwords = { current: field('password'), wanted: field('new_password') };
      const cookies = await people.changePassword(c.req.raw.headers, passwords);
      if (!cookies) return showProblem('The current password is wrong.');
      await attempt.markSucceeded();
      for (const cookie of cookies.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
      const text = 'Password changed. You were signed out on all other devices.';
      return await c.var.goOn(PATH, { kind: 'good', text });
    })
    .get('/leave/:id', async (c) => {
      const membership = membershipOf(c);
      if (!membership) return c.redirect(PATH, 303);
      const { organizationId, organizationName } = membership;
      const left = await resourcesCreatedBy(db, organizationId, c.var.place.person.id);
      const text = html`<p>You will lose access to ${organizationName} immediately.</p>
        ${offboardingSummary(left, organizationId)}`;
      const place = { ...c.var.place, path: PATH, back: { href: PATH, text: 'Account' } };
      const content = confirmation({ text, verb: `Leave ${organizationName}`, back: PATH });
      return c.html(frame(place, `Leave ${organizationName}?`, content));
    })
    .post('/leave/:id', async (c) => {
      const membership = membershipOf(c);
      if (!membership) return c.redirect(PATH, 303);
      const { organizationId, organizationName } = membership;
      const { id } = c.var.place.person;
      const problem = await resultOrFormError(() =>
        removeMember(db, { organizationId, actorId: id, personId: id }),
      );
      const text = problem ?? `You left ${organizationName}.`;
      return await c.var.goOn(PATH, { kind: problem ? 'problem' : 'good', text });
    });
};

const membershipOf = (c: Context<DashboardEnv>) =>
  c.var.place.memberships.find(({ organizationId }) => organizationId === c.req.param('id'));

const view = (place: PageContext, notice?: FlashMessage) =>
  frame(
    { ...place, path: PATH },
    'Account',
    html`<section class="panel" aria-label="Profile">
        ${facts([
          ['Name', place.person.name],
          ['Email', place.person.email],
        ])}
      </section>
      <h2>Organizations</h2>
      ${
        place.memberships.length
          ? table('Organizations', COLUMNS, place.memberships)
          : empty('You are not a member of any organization.')
      }
      <h2>Two-step sign-in</h2>
      <section class="panel" aria-label="Two-step sign-in">
        <p>
          ${
            place.person.hasSecondFactor
              ? html`<strong>On.</strong> You sign in with your password and a code from your
                  authenticator app.`
              : html`<strong>Off.</strong> You sign in with your password only.`
          }
        </p>
        <p>
          <a class="button second" href="${TWO_STEP_PATH}"
            >${place.person.hasSecondFactor ? 'Change two-step sign-in' : 'Set up two-step sign-in'}</a
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
    notice ?? place.notice,
  );

const COLUMNS: Column<Membership>[] = [
  { head: 'Name', as: 'row', cell: ({ organizationName }) => organizationName },
  { head: 'Role', cell: ({ role }) => ROLE_LABELS[role].title },
  {
    head: 'Leave',
    as: 'quiet',
    cell: ({ organizationId, organizationName }) =>
      html`<a class="button danger" href="${PATH}/leave/${organizationId}"
        >Leave<span class="hidden"> ${organizationName}</span></a
      >`,
  },
];
