import type { Html } from '@connect-embed/api/lib/html';
import { dashboardPage } from './dashboard-layout.ts';
import type { DashboardContext, FlashMessage, Link } from './env.ts';

/** A dashboard page, without what all pages have in common. */
interface DashboardPage {
  title: string;
  content: Html;
  /** Link to the parent page. */
  backLink?: Link;
  /** Path of the navigation entry, if it is not the path of the request. */
  path?: string;
  /** Message above the content, instead of the result of the last action. */
  flash?: FlashMessage | undefined;
  /** Why a submitted form is shown again. It is the message then, and the status is 400. */
  problem?: string | undefined;
  status?: 200 | 400 | 429;
}

export const renderPage = (
  c: DashboardContext,
  { title, content, flash, problem, status = problem ? 400 : 200, ...position }: DashboardPage,
) => {
  const message = problem ? ({ kind: 'problem', text: problem } as const) : flash;
  const pageContext = { ...c.var.pageContext, ...position };
  return c.html(dashboardPage(pageContext, title, content, message), status);
};

/** Returns the URL path of a page of the organization, for example `/funds`. */
export const organizationPath = (c: DashboardContext, path: string): string =>
  `/dashboard/${c.var.organization.organizationId}${path}`;
