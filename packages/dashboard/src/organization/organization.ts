import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Selectable } from 'kysely';
import { findLogo, logoPath } from '@connect-embed/api/db/find-logo';
import type { Database } from '@connect-embed/api/db/schema';
import type { Html } from '@connect-embed/api/lib/html';
import {
  MAX_LOGO_BYTES,
  parseLogo,
  removeLogo,
  saveLogo,
} from '@connect-embed/api/resources/organization-logo';
import type { Deps } from '../pages/deps.ts';
import type { DashboardContext, DashboardEnv } from '../pages/env.ts';
import { actionRoutes } from '../pages/actions.ts';
import { file, required, text, url, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { organizationPath } from '../pages/render-page.ts';

type Organization = Selectable<Database['organization']>;
type Logo = Awaited<ReturnType<typeof findLogo>>;

const PROFILE_FIELDS: FieldsOf<Pick<Organization, 'name' | 'website'>> = {
  name: required(
    text({ label: 'Name', hint: 'Donors read it on forms, pages and receipts.' }),
    'Enter the name of your organization.',
  ),
  website: url({ label: 'Website', hint: 'For example https://www.example.org' }),
};

export const LOGO_FIELD = file({
  label: 'Image',
  hint: `PNG, JPEG or WebP, at most ${MAX_LOGO_BYTES / 1024} KB. A square or wide image with a transparent background looks best. Emails show only PNG and JPEG.`,
  accept: 'image/png,image/jpeg,image/webp',
});
const LOGO_FIELDS: FieldsOf<{ logo: File }> = {
  logo: required(LOGO_FIELD, 'Select an image.'),
};

/** Dashboard pages of the organization's name, website and logo. */
export const organizationProfile = (deps: Deps) => {
  const profile = profilePage(deps);
  const logo = logoPage(deps);
  return new Hono<DashboardEnv>()
    .get('/', profile.show)
    .post('/', profile.submit)
    .get('/logo', logo.show)
    .post('/logo', logo.submit)
    .route('/logo', logoActions(deps));
};

const profilePath = (c: DashboardContext) => organizationPath(c, '/organization');
const organizationId = (c: DashboardContext) => c.var.organization.organizationId;

const profilePage = ({ db }: Deps) =>
  formPage<{ organization: Organization; logo: Logo }, Pick<Organization, 'name' | 'website'>>({
    load: async (c) => {
      const [organization, logo] = await Promise.all([
        db
          .selectFrom('organization')
          .selectAll()
          .where('id', '=', organizationId(c))
          .executeTakeFirstOrThrow(),
        findLogo(db, organizationId(c)),
      ]);
      return { organization, logo };
    },
    title: () => 'Name and logo',
    action: (_, c) => profilePath(c),
    fields: () => PROFILE_FIELDS,
    values: ({ organization }) => organization,
    submitLabel: 'Save',
    save: async (input, { organization }, c) => {
      await db
        .updateTable('organization')
        .set(input)
        .where('id', '=', organization.id)
        .executeTakeFirstOrThrow();
      return { path: profilePath(c), success: 'Name and website saved.' };
    },
    content: (form, { organization, logo }, c) =>
      html`${form}
        <h2 id="logo">Logo</h2>
        <section class="panel" aria-labelledby="logo">${logoView(organization, logo, c)}</section>`,
  });

const logoView = ({ id, name }: Organization, logo: Logo, c: DashboardContext): Html =>
  html`${
      logo
        ? logoImage(id, name, logo)
        : html`<p class="muted">No logo yet. Donors see it on your giving pages.</p>`
    }
    <div class="buttons">
      <a class="button" href="${profilePath(c)}/logo">${logo ? 'Replace logo' : 'Add a logo'}</a>
      ${
        logo &&
        html`<form method="post" action="${profilePath(c)}/logo/remove">
          <button class="secondary">Remove logo</button>
        </form>`
      }
    </div>`;

const logoImage = (id: string, name: string, logo: NonNullable<Logo>) =>
  html`<p>
    <img
      class="logo"
      src="${logoPath(id, logo)}"
      width="${logo.width}"
      height="${logo.height}"
      alt="Logo of ${name}"
    />
  </p>`;

const logoPage = ({ db }: Deps) =>
  formPage<undefined, { logo: File }>({
    load: () => Promise.resolve(undefined),
    title: () => 'Logo',
    backLink: (_, c) => ({ href: profilePath(c), text: 'Name and logo' }),
    action: (_, c) => `${profilePath(c)}/logo`,
    fields: () => LOGO_FIELDS,
    values: () => ({}),
    submitLabel: 'Upload',
    hasFile: true,
    save: async ({ logo }, _, c) => {
      await saveLogo(db, organizationId(c), parseLogo(await logo.bytes()));
      return { path: profilePath(c), success: 'Logo saved.' };
    },
  });

const logoActions = ({ db }: Deps) =>
  actionRoutes<undefined>(
    {
      load: () => Promise.resolve(undefined),
      page: (_, c) => ({ href: profilePath(c), text: 'Name and logo' }),
    },
    {
      remove: {
        run: (_, c) => removeLogo(db, organizationId(c)),
        success: 'Logo removed.',
      },
    },
  );
