import type { RenderErrorPage } from '@connect-embed/api/http/error-handler';
import { respondWithErrorPage, wantsHtml } from '@connect-embed/api/http/error-page';
import { notFoundView } from './manage-subscription/secondary-views.ts';

export const isDonorPath = (path: string) => /^\/(plans|embed)\//.test(path);

/** Matches the path of a hosted form, which renders errors itself: `hosted-form/error-page.ts`. */
const HOSTED_FORM_PATH = /^\/embed\/[^/]+$/;

/** Renders an error as a page without a link to the dashboard, for browsers. */
export const donorErrors =
  (baseUrl: string): RenderErrorPage =>
  (c, error) => {
    const { path } = c.req;
    if (HOSTED_FORM_PATH.test(path) || !wantsHtml(c)) return undefined;
    // A page of a recurring donation is shown in the donor's language.
    return path.startsWith('/plans/') && error.type === 'not_found'
      ? respondWithErrorPage(c, error, notFoundView(baseUrl, c.req.header('accept-language')))
      : respondWithErrorPage(c, error);
  };
