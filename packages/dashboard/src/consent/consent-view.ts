import type { Scope } from '@connect-embed/contract';
import { html } from 'hono/html';
import type { AccessRequest } from '@connect-embed/api/oauth/authorization-server';
import { CONSENT_PATH } from '@connect-embed/api/oauth/paths';
import type { Person } from '@connect-embed/api/users/people';
import { cardPage } from '@connect-embed/api/http/page-shell';
import { SCOPE_LABELS } from './scope-labels.ts';

/**
 * An organization for which the person may approve, with the requested scopes that the person may
 * grant.
 */
export interface EligibleOrganization {
  id: string;
  name: string;
  scopes: Scope[];
}

interface ConsentPage {
  request: AccessRequest;
  person: Person;
  organizations: EligibleOrganization[];
  problem?: string;
}

/**
 * Renders the OAuth consent page: the permissions that an app requests, the choice of an
 * organization, and the buttons that approve or deny the request.
 */
export const consentView = ({ request, person, organizations, problem }: ConsentPage) =>
  cardPage(
    `Connect ${request.appName}`,
    html`<h1>Connect ${request.appName}?</h1>
      ${problem && html`<p class="notice problem" role="alert">${problem}</p>`}
      <p class="muted">
        ${request.appName} requests access to one of your organizations. It will be able to:
      </p>
      <ul class="requested-scopes">
        ${request.scopes.map((scope) => scopeItem(SCOPE_LABELS[scope]))}
        ${request.requestsRefreshToken && scopeItem(OFFLINE)}
      </ul>
      ${organizations.length ? form(request, organizations) : notAllowedView(request)}
      <div class="foot small muted">
        <span>Signed in as ${person.email}</span>
        <form method="post" action="/sign-out">
          <input type="hidden" name="next" value="${CONSENT_PATH}/${request.uid}" />
          <button class="link">Use another account</button>
        </form>
      </div>`,
  );

const OFFLINE = {
  title: 'Stay connected',
  detail: 'Access lasts until you disconnect it under Developers, Connected apps.',
};

const scopeItem = ({
  title,
  detail,
  canWrite,
}: {
  title: string;
  detail: string;
  canWrite?: true;
}) =>
  html`<li>
    <span class="sign ${canWrite ? 'can-write' : ''}" aria-hidden="true"></span>
    <strong>${title}</strong>
    <span class="muted small">${detail}</span>
  </li>`;

const form = (request: AccessRequest, organizations: EligibleOrganization[]) =>
  html`<form method="post" action="${CONSENT_PATH}/${request.uid}">
    <fieldset>
      <legend>Choose an organization</legend>
      ${organizations.map((organization) =>
        choice(request, organization, organizations.length === 1),
      )}
    </fieldset>
    <div class="buttons">
      <button name="decision" value="approve">Connect</button>
      <button name="decision" value="refuse" class="secondary" formnovalidate>Cancel</button>
    </div>
    <p class="muted small">You will return to <strong>${request.redirectHost}</strong>.</p>
  </form>`;

function choice({ scopes }: AccessRequest, organization: EligibleOrganization, isOnlyOne: boolean) {
  const missingPermissions = scopes
    .filter((scope) => !organization.scopes.includes(scope))
    .map((scope) => SCOPE_LABELS[scope].title.toLowerCase());
  return html`<label class="choice">
    <input
      type="radio"
      name="organization"
      value="${organization.id}"
      required
      ${isOnlyOne ? 'checked' : ''}
    />
    <span>
      ${organization.name}
      ${
        missingPermissions.length
          ? html`<span class="small muted"
              >You cannot grant: ${missingPermissions.join(', ')}.</span
            >`
          : ''
      }
    </span>
  </label>`;
}

const notAllowedView = ({ uid, redirectHost }: AccessRequest) =>
  html`<p class="notice">
      Only owners and admins can connect an app, and only with permissions that they have. Ask an
      owner or admin of your organization to connect it.
    </p>
    <form method="post" action="${CONSENT_PATH}/${uid}">
      <button name="decision" value="refuse" class="secondary">Go back to ${redirectHost}</button>
    </form>`;
