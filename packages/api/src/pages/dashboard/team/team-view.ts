import { ALL_SCOPES } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { OpenInvitation } from '../../../users/invitations.ts';
import type { Membership } from '../../../users/membership.ts';
import { mayManage, type Standing } from '../../../users/standing.ts';
import type { Member } from '../../../users/team.ts';
import type { Html } from '../../layout.ts';
import { SCOPE_WORDS } from '../../scope-words.ts';
import { day } from '../frame.ts';
import { table, type Column } from '../table.ts';
import { ROLE_WORDS } from './standing-form.ts';

interface Team {
  /** Who looks. */
  self: string;
  organization: Membership;
  members: Member[];
  invited: OpenInvitation[];
}

export const teamView = (path: string, { self, organization, members, invited }: Team): Html => {
  const columns: Column<Member>[] = [
    {
      head: 'Name',
      as: 'row',
      cell: ({ personId, name, email }) =>
        html`${name}${personId === self ? html` <span class="quiet">(you)</span>` : ''}<br /><span
            class="small quiet"
            >${email}</span
          >`,
    },
    { head: 'Role', cell: ({ role }) => ROLE_WORDS[role].title },
    { head: 'Permissions', cell: mayView },
    { head: 'Since', cell: ({ since }) => day(since) },
    {
      head: 'Change',
      as: 'quiet',
      cell: (member) =>
        member.personId !== self && mayManage(organization, member)
          ? html`<span class="buttons">
              <a class="button second" href="${path}/${member.personId}"
                >Change<span class="hidden"> ${member.name}</span></a
              >
              <a class="button danger" href="${path}/${member.personId}/remove"
                >Remove<span class="hidden"> ${member.name}</span></a
              >
            </span>`
          : '',
    },
  ];
  return html`<p><a class="button" href="${path}/invitations/new">Invite somebody</a></p>
    ${table('Team', columns, members)}
    ${invited.length ? invitedView(path, organization, invited) : ''}`;
};

/** What a standing allows, in words. */
export const mayView = ({ role, permissions }: Standing) => {
  if (role === 'owner') return 'Everything';
  const held = role === 'admin' ? ALL_SCOPES.filter((scope) => permissions.includes(scope)) : [];
  const words = held.map((scope) => SCOPE_WORDS[scope].title).join(' · ');
  return words ? html`<span class="small">${words}</span>` : null;
};

const invitedView = (path: string, organization: Membership, invited: OpenInvitation[]) => {
  const columns: Column<OpenInvitation>[] = [
    { head: 'E-mail', as: 'row', cell: ({ email }) => email },
    { head: 'Role', cell: ({ role }) => ROLE_WORDS[role].title },
    { head: 'Permissions', cell: mayView },
    { head: 'Invited by', cell: ({ invited_by }) => invited_by },
    { head: 'Good until', cell: ({ expires_at }) => day(expires_at) },
    {
      head: 'Withdraw',
      as: 'quiet',
      cell: (invitation) =>
        mayManage(organization, invitation)
          ? html`<form method="post" action="${path}/invitations/${invitation.id}/withdraw">
              <button class="second">
                Withdraw<span class="hidden"> the invitation of ${invitation.email}</span>
              </button>
            </form>`
          : '',
    },
  ];
  return html`<h2>Invited</h2>
    ${table('Invitations', columns, invited)}`;
};
