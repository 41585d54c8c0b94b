import { MAX_PICTURE_ALT } from '@connect-embed/contract';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { removePicture, savePicture } from '@connect-embed/api/resources/forms/edit-picture';
import { picturePath } from '@connect-embed/api/resources/forms/form-picture';
import { html } from 'hono/html';
import { actionRoutes } from '../pages/actions.ts';
import type { Deps } from '../pages/deps.ts';
import { file, text, type FieldsOf } from '../pages/field-types.ts';
import { formPage } from '../pages/form-page.ts';
import { formPath, formRef, loadForm } from './form-in-path.ts';
import type { EditedPicture } from './page-fields.ts';
import { MAX_PICTURE_BYTES, toStoredPicture } from './picture-file.ts';

interface PictureInput {
  picture: File | null;
  alt: string | null;
}

const FIELDS: FieldsOf<PictureInput> = {
  picture: file({
    label: 'Image',
    hint: `PNG, JPEG or WebP, at most ${MAX_PICTURE_BYTES / 1024 / 1024} MB. A wide picture of the people you help looks best.`,
    accept: 'image/png,image/jpeg,image/webp',
  }),
  alt: text({
    label: 'What it shows',
    hint: 'Read to people who cannot see it: Volunteers fill lunch boxes. Leave empty if it only decorates.',
    max: MAX_PICTURE_ALT,
  }),
};

/** The picture of a draft's page, with its path on this service. */
export const pictureOf = ({ draft, organization_id }: FormRow): EditedPicture => {
  const picture = draft.page?.picture;
  return picture ? { ...picture, path: picturePath(organization_id, picture) } : null;
};

/** The dashboard page on which the picture of a form's page is chosen and described. */
export const picturePage = (deps: Deps) =>
  formPage<FormRow, PictureInput>({
    load: (c) => loadForm(c, deps),
    title: () => 'Picture of the donation page',
    backLink: (_, c) => ({ href: formPath(c, '/edit'), text: 'Edit form' }),
    action: (_, c) => formPath(c, '/picture'),
    fields: () => FIELDS,
    values: ({ draft }) => ({ alt: draft.page?.picture?.alt ?? null }),
    submitLabel: 'Save picture',
    hasFile: true,
    check: ({ picture }, form, row) => {
      if (!picture && !pictureOf(row)) form.addError('picture', 'Select an image.');
    },
    save: async ({ picture, alt }, _, c) => {
      const stored = picture && (await toStoredPicture(await picture.bytes()));
      await savePicture(deps.db, formRef(c), { file: stored, alt: alt ?? '' });
      return {
        path: formPath(c, '/edit'),
        success: 'Picture saved in the draft. Publish the form to show it.',
      };
    },
    content: (form, row, c) => {
      const picture = pictureOf(row);
      if (!picture) return form;
      const { path, width, height, alt } = picture;
      return html`<p>
          <img class="picture" src="${path}" width="${width}" height="${height}" alt="${alt}" />
        </p>
        ${form}
        <form method="post" action="${formPath(c, '/picture/remove')}">
          <button class="secondary">Remove picture</button>
        </form>`;
    },
  });

export const pictureActions = (deps: Deps) =>
  actionRoutes<FormRow>(
    {
      load: (c) => loadForm(c, deps),
      page: (_, c) => ({ href: formPath(c, '/edit'), text: 'Edit form' }),
    },
    {
      remove: {
        permission: 'admin',
        run: (_, c) => removePicture(deps.db, formRef(c)),
        success: 'Picture removed from the draft.',
      },
    },
  );
