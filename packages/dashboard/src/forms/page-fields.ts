import {
  DEFAULT_FORM_PAGE,
  MAX_PAGE_DESCRIPTION,
  MAX_PAGE_STORY,
  MAX_PAGE_TITLE,
  type FormPageSettings,
} from '@connect-embed/contract';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { html } from 'hono/html';
import {
  multilineText,
  visibleText,
  yesOrNo,
  type FieldType,
  type InputOf,
} from '../pages/field-types.ts';

/** The picture of the draft's page, with its path; null for none. */
export type EditedPicture = { path: string; width: number; height: number; alt: string } | null;

/** Button of the editor that saves the draft and opens the page of the picture. */
export const CHOOSE_PICTURE = 'choose_picture';

/** Shows the picture. A file is chosen on a page of its own, because each change of the editor submits its form. */
const pictureField = (picture: EditedPicture): FieldType<null> => ({
  options: { label: 'Picture' },
  render: () =>
    html`<div class="field" role="group" aria-label="Picture of the donation page">
      <p><b>Picture</b></p>
      ${
        picture &&
        html`<img
          class="picture"
          src="${picture.path}"
          width="${picture.width}"
          height="${picture.height}"
          alt="${picture.alt}"
        />`
      }
      <p class="small muted">
        Donors see it above the heading of the page. The draft is saved first.
      </p>
      <button class="secondary" name="${CHOOSE_PICTURE}" value="on">
        ${picture ? 'Change picture' : 'Add a picture'}
      </button>
    </div>`,
  read: () => null,
  toText: () => '',
});

/** The section “Donation page” of the form editor: docs/decisions/0100-giving-pages.md */
export const pageFields = (organizationName: string, picture: EditedPicture) => ({
  page_title: visibleText({
    heading: 'Donation page',
    label: 'Page title',
    hint: `Heading of the form’s own page, and of the preview where its link is shared. Leave empty for “Give to ${organizationName}”.`,
    max: MAX_PAGE_TITLE,
  }),
  page_description: multilineText({
    label: 'Page description',
    hint: 'What donations make possible, in two or three sentences.',
    max: MAX_PAGE_DESCRIPTION,
  }),
  page_story: multilineText({
    label: 'Story',
    hint: 'A longer text on the page. An empty line begins a paragraph, and web addresses become links.',
    max: MAX_PAGE_STORY,
  }),
  page_picture: pictureField(picture),
  page_is_indexable: yesOrNo({
    label: 'Search engines',
    hint: 'Google and others may show the page.',
    half: true,
  }),
  page_is_listed: yesOrNo({
    label: 'Suggest this form',
    hint: 'Pages of your closed forms link to it.',
    half: true,
  }),
});

/** What a member enters about the form's own page. */
type PageInput = InputOf<ReturnType<typeof pageFields>>;

/**
 * Returns the settings of the page that a member has entered.
 *
 * @param current the page of the draft, whose picture has a page of its own
 */
export const pageOf = (
  input: PageInput,
  { picture }: FormPageSettings = DEFAULT_FORM_PAGE,
): FormPageSettings => ({
  title: input.page_title,
  description: input.page_description,
  story: input.page_story,
  picture,
  is_indexable: input.page_is_indexable,
  is_listed: input.page_is_listed,
});

/** Returns the settings of a draft's page as the editor shows them. */
export function pageInputOf({ draft }: Pick<FormRow, 'draft'>): PageInput {
  const page = draft.page ?? DEFAULT_FORM_PAGE;
  return {
    page_title: page.title,
    page_description: page.description,
    page_story: page.story,
    page_picture: null,
    page_is_indexable: page.is_indexable,
    page_is_listed: page.is_listed,
  };
}
