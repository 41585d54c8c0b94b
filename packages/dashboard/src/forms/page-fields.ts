import {
  DEFAULT_FORM_PAGE,
  MAX_PAGE_DESCRIPTION,
  MAX_PAGE_TITLE,
  type FormPage,
} from '@connect-embed/contract';
import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';
import { multilineText, visibleText, yesOrNo, type InputOf } from '../pages/field-types.ts';

/** The section “Donation page” of the form editor: docs/decisions/0100-giving-pages.md */
export const pageFields = (organizationName: string) => ({
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
  page_is_indexable: yesOrNo({
    label: 'Search engines',
    hint: 'Google and others may show the page.',
  }),
  page_is_listed: yesOrNo({
    label: 'Suggest this form',
    hint: 'Pages of your closed forms link to it.',
  }),
});

/** What a member enters about the form's own page. */
type PageInput = InputOf<ReturnType<typeof pageFields>>;

/** Returns the settings of the page that a member has entered. */
export const pageOf = (input: PageInput): FormPage => ({
  title: input.page_title,
  description: input.page_description,
  is_indexable: input.page_is_indexable,
  is_listed: input.page_is_listed,
});

/** Returns the settings of a draft's page as the editor shows them. */
export function pageInputOf({ draft }: Pick<FormRow, 'draft'>): PageInput {
  const page = draft.page ?? DEFAULT_FORM_PAGE;
  return {
    page_title: page.title,
    page_description: page.description,
    page_is_indexable: page.is_indexable,
    page_is_listed: page.is_listed,
  };
}
