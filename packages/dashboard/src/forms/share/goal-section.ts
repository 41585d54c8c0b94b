import { html } from 'hono/html';
import { sql } from 'kysely';
import { forOrganization } from '@connect-embed/api/db/organization-scope';
import { findOwnServer } from '@connect-embed/api/db/own-server';
import type { Html } from '@connect-embed/api/lib/html';
import { FORM_STATUS } from '@connect-embed/api/resources/forms/forms';
import { copyField } from '../../pages/copy-field.ts';
import type { Deps } from '../../pages/deps.ts';
import type { DashboardContext } from '../../pages/env.ts';
import { organizationPath } from '../../pages/render-page.ts';

/** The code that shows the goal of a campaign on a website. */
const goalSnippet = (server: string, campaignId: string): string =>
  `<script type="module" src="${server}/connect.js"></script>\n<connect-goal campaign="${campaignId}"></connect-goal>`;

/**
 * Renders the code for the goal of a campaign. Pages may only show campaigns of published forms: docs/goal.md
 */
export async function goalSection(
  c: DashboardContext,
  deps: Deps,
  campaignId: string,
): Promise<Html> {
  const { organizationId } = c.var.organization;
  const [server, form] = await Promise.all([
    findOwnServer(deps, organizationId),
    forOrganization(deps.db, organizationId)
      .selectFrom('form')
      .innerJoin('form_version', (join) =>
        join
          .onRef('form_version.form_id', '=', 'form.id')
          .onRef('form_version.version', '=', 'form.live_version'),
      )
      .select('form.id')
      .where(FORM_STATUS, '=', 'live')
      .where(sql<string>`form_version.settings #>> '{terms,campaign_id}'`, '=', campaignId)
      .limit(1)
      .executeTakeFirst(),
  ]);
  if (!server) return html``;
  return html`<section class="panel" aria-labelledby="goal-code-title">
    <h2 id="goal-code-title">Show the goal on your site</h2>
    ${
      form
        ? copyField({
            id: 'goal-code',
            label: 'Code for the goal',
            hint: 'It shows what was raised, and the goal if there is one. It updates by itself.',
            text: goalSnippet(server, campaignId),
            rows: 2,
          })
        : html`<p>
            Your site can show the goal once a published form belongs to this campaign.
            <a href="${organizationPath(c, '/forms')}">Forms</a>
          </p>`
    }
  </section>`;
}
