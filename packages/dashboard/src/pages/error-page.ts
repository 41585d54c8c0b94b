import type { RenderErrorPage } from '@connect-embed/api/http/error-handler';
import { errorPage, respondWithErrorPage, wantsHtml } from '@connect-embed/api/http/error-page';

/** Renders an error as a page with a link to the dashboard, for browsers. */
export const renderMemberError: RenderErrorPage = (c, error) =>
  wantsHtml(c) ? respondWithErrorPage(c, error, errorPage(error, DASHBOARD)) : undefined;

const DASHBOARD = { href: '/dashboard', text: 'Go to the dashboard' };
