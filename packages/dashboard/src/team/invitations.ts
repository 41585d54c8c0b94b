import { ConnectError, notFound } from '@connect-embed/contract';
import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import { mailErrorCode } from '@connect-embed/api/mail/transport';
import {
  INVITATION_DAYS,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  type OpenInvitation,
} from '@connect-embed/api/users/invitations';
import { invitationLink } from '@connect-embed/api/users/links';
import { invitationEmail } from '@connect-embed/api/users/people-mail';
import { mayManage } from '@connect-embed/api/users/role-permissions';
import type { DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { email, required } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { requireSecondFactor } from '../pages/require-second-factor.ts';
import { roleFields, type RoleInput } from './role-form.ts';
import { teamLink } from './team-view.ts';

/**
 * Dashboard pages of invitations to the team. An invitation is sent by email, or shown to the
 * inviter as a link, and it can be withdrawn.
 */
export const invitations = (deps: Deps) => {
  const { show, submit } = invitationPage(deps);
  return new Hono<DashboardEnv>()
    .get('/new', requireSecondFactor, show)
    .post('/', submit)
    .route('/:id', invitationActions(deps.db));
};

interface InvitationInput extends RoleInput {
  email: string;
}

const invitationPage = (deps: Deps) =>
  formPage<undefined, InvitationInput>({
    load: () => Promise.resolve(undefined),
    title: () => 'Invite team member',
    backLink: (_, c) => teamLink(c),
    action: (_, c) => `${teamLink(c).href}/invitations`,
    fields: (_, c) => ({
      email: required(
        email({
          label: 'Email',
          hint: `${deps.peopleMail ? 'We will send a link to this address' : 'You will get a link to send to this person'}. It works once, for ${INVITATION_DAYS} days, and for this address only.`,
        }),
        'Enter the email address of the person.',
      ),
      ...roleFields(c.var.organization),
    }),
    values: () => ({ role: 'member' }),
    submitLabel: 'Invite',
    save: async (input, _, c) => {
      const { organization, pageContext } = c.var;
      if (!mayManage(organization, input))
        throw new ConnectError('conflict', 'You cannot grant permissions that you do not have.');
      const { organizationId } = organization;
      const invited = { organizationId, ...input };
      const token = await createInvitation(deps.db, invited, pageContext.person.id);
      return { path: teamLink(c).href, ...(await sendInvitation(deps, c.var, input.email, token)) };
    },
  });

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
  address: string,
  token: string,
) {
  const url = invitationLink(baseUrl, token);
  const sender = { organization: organization.organizationName, inviter: pageContext.person.name };
  const content = invitationEmail({ ...sender, days: INVITATION_DAYS }, url);
  const sent = await peopleMail?.send({ name: '', address }, content).then(
    () => true,
    (err: unknown) => {
      log.warn({ reason: mailErrorCode(err) }, 'the invitation email was not sent');
      return false;
    },
  );
  if (sent) return { success: `Invitation sent to ${address}.` };
  const emailFailure = sent === false ? 'The email could not be sent. ' : '';
  const success = `${emailFailure}Send this link to ${address} only. It works once, for ${INVITATION_DAYS} days.`;
  return { success, secret: { name: `Link for ${address}`, value: url } };
}
