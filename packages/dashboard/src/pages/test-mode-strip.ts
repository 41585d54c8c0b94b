import { html } from 'hono/html';
import type { Html } from '@connect-embed/api/lib/html';
import type { MembershipWithSettings } from '@connect-embed/api/users/membership';
import { hasPermission } from './navigation.ts';

/**
 * Renders the strip on every page of an organization while its keys are test keys, so that nobody takes a
 * test for money; empty with live keys, and before there are any.
 */
export const testModeStrip = (organization: MembershipWithSettings | undefined): Html | '' =>
  organization?.livemode === false
    ? html`<aside class="test-mode" aria-label="Test mode">
        <p>
          <b>Test mode</b> No real money moves.
          ${
            hasPermission(organization, 'admin')
              ? html`<a href="/dashboard/${organization.organizationId}/go-live"
                  >Take real donations</a
                >`
              : ''
          }
        </p>
      </aside>`
    : '';
