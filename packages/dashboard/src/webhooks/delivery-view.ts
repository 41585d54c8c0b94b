import { html } from 'hono/html';
import type { findDelivery } from '@connect-embed/api/webhooks/organization-endpoints';
import { exactTimeElement } from '../pages/dashboard-layout.ts';
import { badge, empty, facts, table, type Column } from '../pages/table.ts';
import { DELIVERY_TONES, DELIVERY_LABELS } from './labels.ts';

type DeliveryWithAttempts = Awaited<ReturnType<typeof findDelivery>>;
type Attempt = DeliveryWithAttempts['attempts'][number];

interface DeliveryPage {
  path: string;
  timeZone: string;
  /** True if the endpoint is enabled. */
  canSend: boolean;
}

/** Renders the dashboard page of a webhook delivery: its status, attempts and body. */
export const deliveryView = (
  { path, timeZone, canSend }: DeliveryPage,
  { delivery, attempts }: DeliveryWithAttempts,
) =>
  html`<section class="panel" aria-label="Delivery">
      ${facts([
        ['Status', badge(DELIVERY_LABELS[delivery.status], DELIVERY_TONES[delivery.status])],
        ['Created', exactTimeElement(delivery.created_at, timeZone)],
        ['Delivered', delivery.delivered_at && exactTimeElement(delivery.delivered_at, timeZone)],
        [
          'Next attempt',
          delivery.next_attempt_at && exactTimeElement(delivery.next_attempt_at, timeZone),
        ],
        ['Last error', delivery.last_error],
        ['Event ID', html`<code>${delivery.event_id}</code>`],
        ['Delivery ID', html`<code>${delivery.id}</code>`],
      ])}
      ${
        canSend
          ? html`<form method="post" action="${path}/redeliver">
              <button class="secondary">Send again</button>
            </form>`
          : ''
      }
    </section>
    <h2>Attempts</h2>
    ${attempts.length ? table('Attempts', columnsIn(timeZone), attempts) : empty('No attempts yet.')}
    <h2>Request body</h2>
    <pre class="body" tabindex="0" role="region" aria-label="Request body">
${JSON.stringify(JSON.parse(delivery.body), null, 2)}</pre>`;

const columnsIn = (timeZone: string): Column<Attempt>[] => [
  { head: 'Attempt', as: 'rowHeader', cell: ({ number }) => `${number}` },
  { head: 'Time', cell: ({ started_at }) => exactTimeElement(started_at, timeZone) },
  {
    head: 'Response',
    cell: ({ response_status, error }) =>
      badge(
        response_status ? `${response_status}` : 'None',
        error === null ? 'positive' : 'negative',
      ),
  },
  { head: 'Duration', as: 'number', cell: ({ duration_ms }) => duration(duration_ms) },
  { head: 'Error', cell: ({ error }) => error },
];

const duration = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);
