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
  flash?: FlashMessage;
  status?: 200 | 400 | 429;
}

export const renderPage = (
  c: DashboardContext,
  { title, content, flash, status = 200, ...position }: DashboardPage,
) => c.html(dashboardPage({ ...c.var.pageContext, ...position }, title, content, flash), status);

/** Returns the URL path of a page of the organization, for example `/funds`. */
export const organizationPath = (c: DashboardContext, path: string): string =>
  `/dashboard/${c.var.organization.organizationId}${path}`;
