import type { Scope } from '@connect-embed/contract';

/** A route of the API with the scope that it requires and a valid body. */
export interface Route {
  method: string;
  path: string;
  /** Undefined for a route that only one kind of session may call. */
  scope?: Scope;
  body?: object;
  /** The query that the route requires. */
  query?: string;
}

/** The path of a route with the query that it requires, and with another one. */
export const pathWithQuery = ({ path, query }: Pick<Route, 'path' | 'query'>, other?: string) =>
  [path, [query, other].filter(Boolean).join('&')].filter(Boolean).join('?');

/** Every route below `/api/v1`. `app.test.ts` fails if a route is missing. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/donations', scope: 'donations:read' },
  { method: 'GET', path: '/donations/summary', scope: 'donations:read' },
  { method: 'GET', path: '/donations/series', scope: 'donations:read' },
  { method: 'GET', path: '/donations/export.csv', scope: 'donations:read' },
  { method: 'GET', path: '/donations/funds', scope: 'donations:read' },
  { method: 'GET', path: '/donations/:id', scope: 'donations:read' },
  { method: 'GET', path: '/recurring-plans', scope: 'donations:read' },
  { method: 'GET', path: '/recurring-plans/:id', scope: 'donations:read' },
  { method: 'GET', path: '/donors', scope: 'donors:read' },
  { method: 'GET', path: '/donors/summary', scope: 'donors:read' },
  { method: 'GET', path: '/donors/export.csv', scope: 'donors:read' },
  { method: 'GET', path: '/donors/:id', scope: 'donors:read' },
  { method: 'GET', path: '/payouts', scope: 'payouts:read' },
  { method: 'GET', path: '/payouts/summary', scope: 'payouts:read' },
  { method: 'GET', path: '/payouts/export.csv', scope: 'payouts:read' },
  { method: 'GET', path: '/payouts/:id', scope: 'payouts:read' },
  { method: 'GET', path: '/payouts/:id/transactions', scope: 'payouts:read' },
  { method: 'GET', path: '/events', scope: 'events:read' },
  { method: 'GET', path: '/events/:id', scope: 'events:read' },
  { method: 'GET', path: '/events/:id/registrations', scope: 'registrations:read' },
  { method: 'GET', path: '/campaigns', scope: 'reference:read' },
  { method: 'GET', path: '/campaigns/:id/progress', scope: 'reference:read' },
  { method: 'GET', path: '/allowed-sites', scope: 'reference:read' },
  { method: 'POST', path: '/allowed-site-requests', scope: 'payments:write', body: {} },
  { method: 'GET', path: '/forms', scope: 'reference:read' },
  { method: 'GET', path: '/forms/:id', scope: 'reference:read' },
  { method: 'GET', path: '/funds', scope: 'reference:read' },
  { method: 'GET', path: '/organization', scope: 'reference:read' },
  { method: 'POST', path: '/payment-intents', scope: 'payments:write', body: {} },
  {
    method: 'GET',
    path: '/payment-intents',
    scope: 'donations:read',
    query: 'status=processing',
  },
  { method: 'GET', path: '/payment-intents/:payment_intent_id', scope: 'payments:write' },
  { method: 'POST', path: '/embed-sessions', scope: 'payments:write', body: {} },
  { method: 'GET', path: '/embed-sessions/current' },
  {
    method: 'POST',
    path: '/component-sessions',
    scope: 'donors:read',
    body: { components: ['donors'] },
  },
  { method: 'GET', path: '/live' },
  { method: 'GET', path: '/webhooks', scope: 'webhooks:write' },
  { method: 'POST', path: '/webhooks', scope: 'webhooks:write', body: {} },
  { method: 'GET', path: '/webhooks/:id', scope: 'webhooks:write' },
  { method: 'PATCH', path: '/webhooks/:id', scope: 'webhooks:write', body: {} },
  { method: 'DELETE', path: '/webhooks/:id', scope: 'webhooks:write' },
  { method: 'POST', path: '/webhooks/:id/rotate-secret', scope: 'webhooks:write' },
  { method: 'GET', path: '/webhooks/:id/deliveries', scope: 'webhooks:write' },
  { method: 'POST', path: '/webhooks/:id/test', scope: 'webhooks:write' },
  {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery_id/redeliver',
    scope: 'webhooks:write',
  },
];
