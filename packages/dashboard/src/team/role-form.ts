import { ALL_SCOPES, type Scope } from '@connect-embed/contract';
import type { Membership } from '@connect-embed/api/users/membership';
import type { Role } from '@connect-embed/api/users/roles';
import { oneOf, someOf, type FieldsOf } from '../pages/field-types.ts';
import { checkboxes } from '../pages/field-view.ts';
import { SCOPE_LABELS } from '../consent/scope-labels.ts';

export const ROLE_LABELS = {
  owner: { text: 'Owner', hint: 'Has all permissions and can add other owners.' },
  admin: {
    text: 'Admin',
    hint: 'Has the permissions selected below and can grant them to others.',
  },
  member: { text: 'Member', hint: 'Belongs to the team but cannot see donations or donors.' },
};
const { owner: _, ...LABELS_BELOW_OWNER } = ROLE_LABELS;

const PERMISSIONS = ALL_SCOPES.map((value) => ({ value, text: SCOPE_LABELS[value].title }));

export interface RoleInput {
  role: Role;
  permissions: Scope[];
}

/** The fields of a role and its permissions, which offer only what the acting member may grant. */
export const roleFields = ({ role, permissions }: Membership): FieldsOf<RoleInput> => ({
  role: oneOf<Role>({
    label: 'Role',
    choices: role === 'owner' ? ROLE_LABELS : LABELS_BELOW_OWNER,
  }),
  permissions: {
    // Others are read as well, so that they are refused instead of dropped when the form is saved.
    ...someOf({ label: 'Admin permissions', choices: PERMISSIONS }),
    render: (draft, field) =>
      checkboxes(
        draft,
        field,
        PERMISSIONS.filter(({ value }) => permissions.has(value)),
      ),
  },
});
