import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import type { Env } from '@connect-embed/api/http/env';
import {
  createFirstOrganization,
  lacksOrganization,
  type OrganizationInput,
} from '@connect-embed/api/setup/set-up';
import { readFields, type FormState } from '../pages/fields.ts';
import {
  email,
  multilineText,
  required,
  text,
  timeZone,
  type FieldsOf,
} from '../pages/field-types.ts';
import { fieldsView, readInput, savedForm } from '../pages/form.ts';
import { LOGO_FIELD } from '../organization/organization.ts';
import type { Deps } from '../pages/deps.ts';
import { signInPath } from '../pages/sign-in-redirects.ts';
import { currency } from './currency-field.ts';
import { ORGANIZATION_PATH } from './owner.ts';
import { SETUP_SCRIPT_PATH } from './script.ts';
import { formProblem, setupPage } from './setup-layout.ts';
import { allowScript } from '../pages/script.ts';

const FIELDS: FieldsOf<Omit<OrganizationInput, 'logo'> & { logo: File | null }> = {
  name: required(
    text({ label: 'Name', hint: 'Donors read it on forms, pages and receipts.', max: 100 }),
    'Enter the name of your organization.',
  ),
  logo: { ...LOGO_FIELD, options: { ...LOGO_FIELD.options, label: 'Logo' } },
  currency: currency({ label: 'Currency', hint: 'Of all donations. It cannot be changed later.' }),
  time_zone: timeZone({ label: 'Time zone', hint: 'Used for all dates and totals.' }),
  contact_email: email({
    label: 'Contact email',
    hint: 'Replies of donors to their receipts go to this address.',
  }),
  legal_name: text({
    label: 'Legal name',
    hint: 'If it differs from the name.',
    heading: 'For receipts',
  }),
  tax_id: text({ label: 'Tax ID', max: 60 }),
  receipt_note: multilineText({
    label: 'Tax statement',
    hint: 'For example: No goods or services were provided in exchange for this donation.',
    max: 500,
  }),
};

/** `GET` and `POST /setup/organization`: the owner describes the first organization. */
export const organizationSetup = (deps: Deps) =>
  new Hono<Env>()
    .get(ORGANIZATION_PATH, async (c) =>
      respondToOwner(c, deps, async () =>
        c.html(page(savedForm(FIELDS, { currency: 'usd', time_zone: 'UTC' }))),
      ),
    )
    .post(ORGANIZATION_PATH, async (c) =>
      respondToOwner(c, deps, (personId) => submit(c, deps, personId)),
    );

/** Responds to a signed-in person while there is no organization, and redirects others. */
async function respondToOwner(
  c: Context<Env>,
  deps: Deps,
  respond: (personId: string) => Promise<Response>,
): Promise<Response> {
  const people = await deps.loadPeople();
  const person = await people.getPerson(c.req.raw.headers);
  if (!person) return c.redirect(signInPath(ORGANIZATION_PATH), 303);
  if (!(await lacksOrganization(deps.db))) return c.redirect('/dashboard', 303);
  allowScript(c, deps);
  return await respond(person.id);
}

async function submit(c: Context<Env>, deps: Deps, personId: string): Promise<Response> {
  const form = await readFields(c);
  const { logo, ...organization } = readInput(FIELDS, form);
  const { db, serverApiKey } = deps;
  const created = await form.submit(async () =>
    createFirstOrganization(
      db,
      { personId, serverApiKey },
      { ...organization, logo: logo && (await logo.bytes()) },
    ),
  );
  return created ? c.redirect(`/dashboard/${created.value}`, 303) : c.html(page(form), 400);
}

const page = (draft: FormState) =>
  setupPage(
    2,
    'Your organization',
    html`${formProblem(draft)}
      <form method="post" action="${ORGANIZATION_PATH}" enctype="multipart/form-data" novalidate>
        ${fieldsView(FIELDS, draft)}
        <button>Continue</button>
      </form>
      <script type="module" src="${SETUP_SCRIPT_PATH}"></script>`,
  );
