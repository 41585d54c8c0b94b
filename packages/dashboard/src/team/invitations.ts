import { EmailAddress } from '@connect-embed/contract/field-schemas';
import { normalizeEmail } from '@connect-embed/contract/email-address';
import { notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Deps } from '../pages/deps.ts';
import { mailErrorCode } from '@connect-embed/api/mail/transport';
import {
  INVITATION_DAYS,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  type InvitationInput,
  type OpenInvitation,
} from '@connect-embed/api/users/invitations';
import { invitationLink } from '@connect-embed/api/users/links';
import { invitationEmail } from '@connect-embed/api/users/people-mail';
import { mayManage } from '@connect-embed/api/users/role-permissions';
import { readForm } from '@connect-embed/api/http/read-form';
import type { DashboardContext, DashboardEnv, FlashMessage } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { renderPage } from '../pages/render-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { resultOrFormError } from '../pages/to-form-error.ts';
import { readRolePermissions, roleFields } from './role-form.ts';
import { teamLink } from './team-view.ts';

/**
 * Dashboard pages of invitations to the team. An invitation is sent by email, or shown to the
 * inviter as a link, and it can be withdrawn.
 */
export const invitations = (deps: Deps) =>
  new Hono<DashboardEnv>()
    .get('/new', requireSecondFactor, (c) => renderForm(c, deps, { role: 'member' }))
    .post('/', (c) => invite(c, deps))
    .route('/:id', invitationActions(deps.db));

async function invite(c: DashboardContext, deps: Deps) {
  const { organization, pageContext } = c.var;
  const field = await readForm(c);
  const rolePermissions = readRolePermissions(field);
  const input = { email: normalizeEmail(field('email')), ...rolePermissions };
  if (!rolePermissions) return renderForm(c, deps, input, 'Choose a role.');
  if (!EmailAddress.safeParse(input.email).success)
    return renderForm(c, deps, input, 'Enter a valid email address.');
  if (!mayManage(organization, rolePermissions))
    return renderForm(c, deps, input, 'You cannot grant permissions that you do not have.');
  const { organizationId } = organization;
  const invited = { organizationId, email: input.email, ...rolePermissions };
  const created = await resultOrFormError(async () => ({
    token: await createInvitation(deps.db, invited, pageContext.person.id),
  }));
  if (typeof created === 'string') return renderForm(c, deps, input, created);
  const flash = await sendInvitation(deps, c.var, invited, created.token);
  return await c.var.redirectWithFlash(teamLink(c).href, flash);
}

const invitationActions = (db: Deps['db']) =>
  actionRoutes<OpenInvitation>(
    {
      load: async (c) => {
        const { organization } = c.var;
        const list = await listInvitations(db, organization.organizationId);
        const invitation = list.find(({ id }) => id === c.req.param('id'));
        if (!invitation || !mayManage(organization, invitation))
          throw notFound('invitation', c.req.param('id') ?? '');
        return invitation;
      },
      page: (_, c) => teamLink(c),
      missing: {
        path: (c) => teamLink(c).href,
        problem: 'This invitation is no longer pending.',
      },
    },
    {
      withdraw: {
        run: ({ id }, c) => withdrawInvitation(db, c.var.organization.organizationId, id),
        success: 'Invitation withdrawn. Its link no longer works.',
      },
    },
  );

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

function renderForm(
  c: DashboardContext,
  { peopleMail }: Deps,
  enteredValues: Partial<InvitationInput>,
  problem?: string,
) {
  const deliveryHint = peopleMail
    ? 'We will send a link to this address'
    : 'You will get a link to send to this person';
  const content = html`<form method="post" action="${teamLink(c).href}/invitations" class="panel">
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
    ${roleFields(c.var.organization, enteredValues)}
    <button>Invite</button>
  </form>`;
  return renderPage(c, {
    title: 'Invite team member',
    backLink: teamLink(c),
    content,
    problem,
  });
}
