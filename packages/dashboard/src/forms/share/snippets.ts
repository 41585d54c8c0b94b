import type { FormRow } from '@connect-embed/api/resources/forms/edit-form';

/**
 * The code that shows a form on a website. It contains how the form is shown, so that the page shows the
 * right thing before the form is loaded.
 *
 * @param name name of the form in pages; on a platform it contains the organization
 */
export function snippet(
  server: string,
  { slug, live_display: display }: Pick<FormRow, 'slug' | 'live_display'>,
  name = slug,
): string {
  const script = `<script type="module" src="${server}/connect.js"></script>`;
  const element = (attributes = '') =>
    `<connect-donate form="${name}"${attributes}></connect-donate>`;
  if (!display || display === 'inline') return `${script}\n${element()}`;
  if (display !== 'modal') return `${script}\n${element(` display="${display}"`)}`;
  return `${script}\n<a href="#donate">Donate</a>\n${element(' id="donate" display="modal"')}`;
}

/** The code that shows a form in a frame, for site builders that accept no scripts. */
export const frameSnippet = (server: string, slug: string): string =>
  `<iframe src="${server}/embed/${slug}" title="Donate" allow="payment" width="100%" height="1400" style="display: block; border: 0"></iframe>`;
