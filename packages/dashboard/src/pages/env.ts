import type { Context } from 'hono';
import type { Env } from '@connect-embed/api/http/env';
import type { Html } from '@connect-embed/api/lib/html';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import type { Person } from '@connect-embed/api/users/people';

/** Hono environment of the dashboard pages: adds the page context to that of every handler. */
export interface DashboardEnv extends Env {
  Variables: Env['Variables'] & {
    pageContext: PageContext;
    /** The organization in the path. Set only on pages of an organization. */
    organization: MembershipWithSettings;
    /** Redirects after a form submission, with a message for the next page. */
    redirectWithFlash: RedirectWithFlash;
  };
}

export type DashboardContext = Context<DashboardEnv>;

/**
 * The signed-in person and the position of the current page in the dashboard. Every dashboard page
 * is rendered with it.
 */
export interface PageContext {
  person: Person;
  /** All organizations of which the person is a member. */
  memberships: MembershipWithSettings[];
  /** The organization of the page. On account pages it is the one that the person viewed last. */
  organization?: MembershipWithSettings;
  /** Number of websites that wait for a decision of this owner or admin. */
  siteRequests?: number;
  /** Path of the page, which marks the current entry in the navigation. */
  path: string;
  /** Text of the search whose results the page shows. */
  searchText?: string;
  /** Result of the form that was submitted before this page. */
  flash?: FlashMessage;
  /** Warning that every page of the organization shows at the moment. */
  banner?: Html;
  /** The steps to the first donation on the home page, while they are shown to the person. */
  checklist?: Html;
  /** The next of these steps, above the content of the other pages. */
  nextStep?: Html;
  /** Link to the parent page. */
  backLink?: Link;
}

export interface Link {
  href: string;
  text: string;
}

/** Result of the last action, shown at the top of the page. */
export interface FlashMessage {
  kind: 'success' | 'note' | 'problem';
  text: string;
  /** Links to what the message is about, such as the fields of a form with an error. */
  links?: readonly Link[];
  /** Secret that is shown only once, such as a new API key. */
  secret?: { name: string; value: string };
}

/** Redirects after a form submission and shows a flash message on the next page. */
export type RedirectWithFlash = (path: string, flash?: FlashMessage) => Promise<Response>;
