import { Hono } from 'hono';
import { html } from 'hono/html';
import { z } from 'zod';
import type { Deps } from '../../../env.ts';
import { reasonOf } from '../../../mail/reason.ts';
import {
  INVITATION_DAYS,
  invite,
  listInvitations,
  withdrawInvitation,
  type Invited,
} from '../../../users/invitations.ts';
import { invitationLink } from '../../../users/links.ts';
import type { Membership } from '../../../users/membership.ts';
import { invitationLetter } from '../../../users/people-mail.ts';
import { mayManage } from '../../../users/standing.ts';
import { readForm } from '../../form.ts';
import type { DashboardEnv } from '../dashboard.ts';
import { frame, type Notice } from '../frame.ts';
import { requireSecondFactor } from '../require-second-factor.ts';
import { trying } from '../trying.ts';
import { readStanding, standingFields } from './standing-form.ts';

/** Ask somebody into the team, by mail or by a link that is handed on; take it back. */
export const invitations = (deps: Deps) => {
  const { db } = deps;
  return new Hono<DashboardEnv>()
    .get('/new', requireSecondFactor, (c) => c.html(newPage(deps, c.var, { role: 'member' })))
    .post('/', async (c) => {
      const { organization, place } = c.var;
      const field = await readForm(c);
      const standing = readStanding(field);
      const typed = { email: field('email').trim(), ...standing };
      const redraw = (problem: string) => c.html(newPage(deps, c.var, typed, problem), 400);
      if (!standing) return redraw('Choose a role.');
      if (!z.email().max(254).safeParse(typed.email).success)
        return redraw('That is no e-mail address.');
      if (!mayManage(organization, standing))
        return redraw('You cannot give more than you hold yourself.');
      const invited = {
        organizationId: organization.organizationId,
        email: typed.email,
        ...standing,
      };
      const made = await trying(async () => ({
        token: await invite(db, invited, place.person.id),
      }));
      if (typeof made === 'string') return redraw(made);
      return await c.var.goOn(listOf(organization), await tell(deps, c.var, invited, made.token));
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
      return await c.var.goOn(
        listOf(organization),
        withdrawn
          ? { kind: 'good', text: 'The invitation is withdrawn; its link ends.' }
          : { kind: 'problem', text: 'That invitation is not open any more.' },
      );
    });
};

const listOf = ({ organizationId }: Membership) => `/dashboard/${organizationId}/team`;

/** Sends the link to whom it is for; where no mail leaves, shows it to whoever asked for it. */
async function tell(
  { baseUrl, peopleMail, log }: Deps,
  { organization, place }: DashboardEnv['Variables'],
  { email }: Invited,
  token: string,
): Promise<Notice> {
  const url = invitationLink(baseUrl, token);
  const sender = { organization: organization.organizationName, inviter: place.person.name };
  const letter = invitationLetter({ ...sender, days: INVITATION_DAYS }, url);
  const sent = await peopleMail?.send({ name: '', address: email }, letter).then(
    () => true,
    (err: unknown) => {
      log.warn({ reason: reasonOf(err) }, 'an invitation was not mailed');
      return false;
    },
  );
  if (sent) return { kind: 'good', text: `The invitation is on its way to ${email}.` };
  const why = sent === false ? 'The mail did not leave. ' : '';
  const text = `${why}Hand this link to ${email} and nobody else: it works once, for ${INVITATION_DAYS} days.`;
  return { kind: 'good', text, secret: { name: `Link for ${email}`, value: url } };
}

function newPage(
  { peopleMail }: Deps,
  { place, organization }: DashboardEnv['Variables'],
  typed: Partial<Invited>,
  problem?: string,
) {
  const how = peopleMail ? 'The link is sent to this address' : 'You are shown a link to hand on';
  const content = html`<form
    method="post"
    action="${listOf(organization)}/invitations"
    class="panel"
  >
    <div class="field">
      <label for="email">E-mail</label>
      <input
        id="email"
        name="email"
        type="email"
        required
        maxlength="254"
        value="${typed.email ?? ''}"
        autocomplete="off"
        aria-describedby="email-hint"
      />
      <span id="email-hint" class="small quiet">
        ${how}; it works once, for ${INVITATION_DAYS} days, and for this address only.
      </span>
    </div>
    ${standingFields(organization, typed)}
    <button>Invite</button>
  </form>`;
  const back = { href: listOf(organization), text: 'Team' };
  const notice = problem ? ({ kind: 'problem', text: problem } as const) : place.notice;
  return frame({ ...place, back }, 'Invite somebody', content, notice);
}
