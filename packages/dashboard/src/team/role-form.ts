import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { Membership } from '@connect-embed/api/users/membership';
import { ROLES, type Role } from '@connect-embed/api/users/roles';
import type { RolePermissions } from '@connect-embed/api/users/role-permissions';
import { SCOPE_LABELS } from '../pages/scope-labels.ts';

export const ROLE_LABELS: Record<Role, { title: string; detail: string }> = {
  owner: { title: 'Owner', detail: 'Has all permissions and can add other owners.' },
  admin: {
    title: 'Admin',
    detail: 'Has the permissions selected below and can grant them to others.',
  },
  member: { title: 'Member', detail: 'Belongs to the team but cannot see donations or donors.' },
};

/**
 * Reads the role and permissions from the form.
 *
 * @returns undefined if no role is chosen
 */
export function readRolePermissions(
  field: (name: string) => string,
): { role: Role; permissions: Scope[] } | undefined {
  const role = ROLES.find((each) => each === field('role'));
  return role && { role, permissions: ALL_SCOPES.filter((scope) => field(scope) === 'on') };
}

/**
 * Renders the form fields for the role and permissions, limited to those that the acting member may
 * grant.
 */
export const roleFields = (actor: Membership, selected: Partial<RolePermissions>) => {
  const roles = ROLES.filter((role) => actor.role === 'owner' || role !== 'owner');
  const scopes = ALL_SCOPES.filter((scope) => actor.permissions.has(scope));
  return html`<fieldset>
      <legend>Role</legend>
      ${roles.map((role) => roleChoice(role, selected.role))}
    </fieldset>
    <fieldset>
      <legend>Admin permissions</legend>
      <div class="choices">${scopes.map((scope) => scopeChoice(scope, selected))}</div>
    </fieldset>`;
};

const roleChoice = (role: Role, selected: Role | undefined) =>
  html`<label class="choice">
    <input
      type="radio"
      name="role"
      value="${role}"
      required
      ${role === selected ? html`checked` : ''}
    />
    <span
      >${ROLE_LABELS[role].title} <span class="small muted">${ROLE_LABELS[role].detail}</span></span
    >
  </label>`;

const scopeChoice = (scope: Scope, { permissions = [] }: Partial<RolePermissions>) =>
  html`<label class="choice">
    <input type="checkbox" name="${scope}" ${permissions.includes(scope) ? html`checked` : ''} />
    <span>${SCOPE_LABELS[scope].title}</span>
  </label>`;
