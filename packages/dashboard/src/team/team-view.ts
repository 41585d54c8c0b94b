import { html } from 'hono/html';
import { canRefund } from '@connect-embed/api/payments/refund-donation';
import type { OpenInvitation } from '@connect-embed/api/users/invitations';
import { heldScopes, type Membership } from '@connect-embed/api/users/membership';
import { mayManage, type RolePermissions } from '@connect-embed/api/users/role-permissions';
import type { Member } from '@connect-embed/api/users/team';
import type { Html } from '@connect-embed/api/lib/html';
import { SCOPE_LABELS } from '../consent/scope-labels.ts';
import { dateElement } from '../pages/dashboard-layout.ts';
import type { DashboardContext, Link } from '../pages/env.ts';
import { organizationPath } from '../pages/render-page.ts';
import { table, type Column } from '../pages/table.ts';
import { ROLE_LABELS } from './role-form.ts';

export const teamLink = (c: DashboardContext): Link => ({
  href: organizationPath(c, '/team'),
  text: 'Team',
});

interface Team {
  /** Id of the signed-in person. */
  ownPersonId: string;
  organization: Membership;
  members: Member[];
  invited: OpenInvitation[];
}

/**
 * Renders the dashboard page of the team: members, open invitations and the two-step sign-in
 * requirement.
 */
export const teamView = (
  path: string,
  { ownPersonId, organization, members, invited }: Team,
): Html => {
  const columns: Column<Member>[] = [
    {
      head: 'Name',
      as: 'rowHeader',
      cell: ({ personId, name, email, hasSecondFactor }) =>
        html`${name}${personId === ownPersonId ? html` <span class="muted">(you)</span>` : ''}<br /><span
            class="small muted"
            >${email}${hasSecondFactor ? html`<br />Two-step sign-in is on` : ''}</span
          >`,
    },
    { head: 'Role', cell: ({ role }) => ROLE_LABELS[role].text },
    { head: 'Permissions', cell: permissionsView },
    { head: 'Since', cell: ({ memberSince }) => dateElement(memberSince, organization.timeZone) },
    {
      head: 'Edit',
      as: 'muted',
      cell: (member) =>
        member.personId !== ownPersonId && mayManage(organization, member)
          ? html`<span class="buttons">
              <a class="button secondary" href="${path}/${member.personId}"
                >Edit<span class="hidden"> ${member.name}</span></a
              >
              <a class="button danger" href="${path}/${member.personId}/remove"
                >Remove<span class="hidden"> ${member.name}</span></a
              >
            </span>`
          : '',
    },
  ];
  return html`<p><a class="button" href="${path}/invitations/new">Invite team member</a></p>
    ${table('Team', columns, members)}
    ${invited.length ? invitedView(path, organization, invited) : ''}
    ${twoStepView(path, organization, members)}`;
};

const permissionsView = ({ role, permissions }: RolePermissions) => {
  if (role === 'owner') return 'All permissions';
  const scopeTitles = [...heldScopes(role, permissions)]
    .map((scope) => SCOPE_LABELS[scope].title)
    .join(' · ');
  return scopeTitles ? html`<span class="small">${scopeTitles}</span>` : null;
};

/**
 * Renders the setting that requires two-step sign-in for changes and exports, with the number
 * of members who have turned it on.
 */
const twoStepView = (path: string, organization: Membership, members: Member[]) => {
  const membersWhoMayRefund = members.filter(({ role, permissions }) =>
    canRefund({ role, permissions: heldScopes(role, permissions) }),
  );
  const ready = membersWhoMayRefund.filter(({ hasSecondFactor }) => hasSecondFactor).length;
  const { requiresSecondFactor: required } = organization;
  return html`<h2 id="two-step">Two-step sign-in</h2>
    <form method="post" action="${path}/two-step" class="panel" aria-labelledby="two-step">
      <p>
        ${
          required
            ? html`<strong>Required.</strong> Members without two-step sign-in can look at pages,
                but cannot change or export anything, connect apps or remove this requirement.`
            : html`<strong>Not required.</strong> Members can refund donations, create API keys and
                remove others with only their password.`
        }
        ${ready} of ${membersWhoMayRefund.length} members who can refund have turned it on. The
        others must set it up before they change anything${required ? '' : ', once it is required'}.
      </p>
      <input type="hidden" name="required" value="${required ? '' : 'on'}" />
      <p>
        <button class="secondary">
          ${required ? 'Remove requirement' : 'Require two-step sign-in'}
        </button>
      </p>
    </form>`;
};

const invitedView = (path: string, organization: Membership, invited: OpenInvitation[]) => {
  const columns: Column<OpenInvitation>[] = [
    { head: 'Email', as: 'rowHeader', cell: ({ email }) => email },
    { head: 'Role', cell: ({ role }) => ROLE_LABELS[role].text },
    { head: 'Permissions', cell: permissionsView },
    { head: 'Invited by', cell: ({ invited_by }) => invited_by },
    { head: 'Expires', cell: ({ expires_at }) => dateElement(expires_at, organization.timeZone) },
    {
      head: 'Withdraw',
      as: 'muted',
      cell: (invitation) =>
        mayManage(organization, invitation)
          ? html`<form method="post" action="${path}/invitations/${invitation.id}/withdraw">
              <button class="secondary">
                Withdraw<span class="hidden"> the invitation for ${invitation.email}</span>
              </button>
            </form>`
          : '',
    },
  ];
  return html`<h2>Pending invitations</h2>
    ${table('Invitations', columns, invited)}`;
};
