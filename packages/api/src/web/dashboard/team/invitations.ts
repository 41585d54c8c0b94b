import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { mailErrorCode } from '../../../mail/mail-error-code.ts';
import {
  INVITATION_DAYS,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  type InvitationInput,
} from '../../../users/invitations.ts';
import { invitationLink } from '../../../users/links.ts';
import type { Membership } from '../../../users/membership.ts';
import { invitationEmail } from '../../../users/people-mail.ts';
import { mayManage } from '../../../users/role-permissions.ts';
import { readForm } from '../../read-form.ts';
import type { DashboardEnv, FlashMessage } from '../env.ts';
import { dashboardPage } from '../dashboard-layout.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { resultOrFormError } from '../to-form-error.ts';
import { readRolePermissions, roleFields } from './role-form.ts';

/**
 * Dashboard pages of invitations to the team. An invitation is sent by email, or shown to the
 * inviter as a link, and it can be withdrawn.
 */
export const invitations = (deps: Deps) => {
  const { db } = deps;
  return new Hono<DashboardEnv>()
    .get('/new', requireSecondFactor, (c) => c.html(newPage(deps, c.var, { role: 'member' })))
    .post('/', async (c) => {
      const { organization, pageContext } = c.var;
      const field = await readForm(c);
      const rolePermissions = readRolePermissions(field);
      const input = { email: field('email').trim(), ...rolePermissions };
      const renderForm = (problem: string) => c.html(newPage(deps, c.var, input, problem), 400);
      if (!rolePermissions) return renderForm('Choose a role.');
      if (!z.email().max(254).safeParse(input.email).success)
        return renderForm('Enter a valid email address.');
      if (!mayManage(organization, rolePermissions))
        return renderForm('You cannot grant permissions that you do not have.');
      const invited = {
        organizationId: organization.organizationId,
        email: input.email,
        ...rolePermissions,
      };
      const created = await resultOrFormError(async () => ({
        token: await createInvitation(db, invited, pageContext.person.id),
      }));
      if (typeof created === 'string') return renderForm(created);
      return await c.var.redirectWithFlash(
        listOf(organization),
        await sendInvitation(deps, c.var, invited, created.token),
      );
    })
    .post('/:id/withdraw', async (c) => {
      const { organization } = c.var;
      const { organizationId } = organization;
      const id = c.req.param('id');
      const open = (await listInvitations(db, organizationId)).find((each) => each.id === id);
      const withdrawn =
        open !== undefined &&
        mayManage(organization, open) &&
        (await withdrawInvitation(db, organizationId, id));
      return await c.var.redirectWithFlash(
        listOf(organization),
        withdrawn
          ? { kind: 'success', text: 'Invitation withdrawn. Its link no longer works.' }
          : { kind: 'problem', text: 'This invitation is no longer pending.' },
      );
    });
};

const listOf = ({ organizationId }: Membership) => `/dashboard/${organizationId}/team`;

/**
 * Sends the invitation by email. If email is disabled or fails, the link is shown to the inviter
 * instead.
 */
async function sendInvitation(
  { baseUrl, peopleMail, log }: Deps,
  { organization, pageContext }: DashboardEnv['Variables'],
  { email }: InvitationInput,
  token: string,
): Promise<FlashMessage> {
  const url = invitationLink(baseUrl, token);
  const sender = { organization: organization.organizationName, inviter: pageContext.person.name };
  const content = invitationEmail({ ...sender, days: INVITATION_DAYS }, url);
  const sent = await peopleMail?.send({ name: '', address: email }, content).then(
    () => true,
    (err: unknown) => {
      log.warn({ reason: mailErrorCode(err) }, 'the invitation email was not sent');
      return false;
    },
  );
  if (sent) return { kind: 'success', text: `Invitation sent to ${email}.` };
  const emailFailure = sent === false ? 'The email could not be sent. ' : '';
  const text = `${emailFailure}Send this link to ${email} only. It works once, for ${INVITATION_DAYS} days.`;
  return { kind: 'success', text, secret: { name: `Link for ${email}`, value: url } };
}

function newPage(
  { peopleMail }: Deps,
  { pageContext, organization }: DashboardEnv['Variables'],
  enteredValues: Partial<InvitationInput>,
  problem?: string,
) {
  const deliveryHint = peopleMail
    ? 'We will send a link to this address'
    : 'You will get a link to send to this person';
  const content = html`<form
    method="post"
    action="${listOf(organization)}/invitations"
    class="panel"
  >
    <div class="field">
      <label for="email">Email</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        maxlength="254"
        value="${enteredValues.email ?? ''}"
        autocomplete="off"
        aria-describedby="email-hint"
      />
      <span id="email-hint" class="small muted">
        ${deliveryHint}. It works once, for ${INVITATION_DAYS} days, and for this address only.
      </span>
    </div>
    ${roleFields(organization, enteredValues)}
    <button>Invite</button>
  </form>`;
  const backLink = { href: listOf(organization), text: 'Team' };
  const flash = problem ? ({ kind: 'problem', text: problem } as const) : pageContext.flash;
  return dashboardPage({ ...pageContext, backLink }, 'Invite team member', content, flash);
}
