/**
 * Replaces BFF and API in the page, because a hundred tables would exceed the rate limit of a
 * session. Responds at once, and tracks pending requests and open streams.
 */
export function installFakeApi(): void {
  const open = ((window as unknown as { open_calls: Set<string> }).open_calls = new Set<string>());
  const moment = '2026-11-20T12:00:00.000Z';
  const sums = {
    currency: 'usd',
    count: 2,
    gross_cents: 10_000,
    net_cents: 9500,
    refunded_cents: 0,
  };
  const donation = (id: string) => ({
    ...{ id, object: 'donation', amount_cents: 5000, net_amount_cents: 4800, currency: 'usd' },
    livemode: true,
    ...{ recurring: false, refund_status: 'none', refunded_amount_cents: 0 },
    ...{ dispute_status: 'none', donor_name: 'Ada', donor_email: null, fund_id: 'fund_1' },
    ...{ fund_name: 'Meals', campaign_id: null, contact_id: null, source: 'embed' },
    ...{ source_id: null, created_at: moment },
  });
  const donor = (id: string) => ({
    ...{ id, object: 'donor', email: 'ada@example.org', first_name: 'Ada', last_name: 'L' },
    ...{ phone: null, city: null, state: null, postal_code: null, country: null },
    ...{ source: 'embed', created_at: moment, updated_at: moment },
  });
  const payout = (id: string) => ({
    ...{ id, object: 'payout', amount_cents: 5000, currency: 'usd', status: 'paid' },
    livemode: true,
    ...{ arrival_date: moment, created: moment, description: null, statement_descriptor: null },
  });
  const payoutPart = {
    ...{ id: 'pd_1', object: 'balance_transaction', payout_id: 'po_1', donation_id: 'don_1' },
    ...{ reporting_category: 'charge', amount_cents: 5000, fee_cents: 0, net_amount_cents: 5000 },
    ...{ currency: 'usd', created_at: moment },
  };
  const step = { starts_on: '2026-11-20', created_from: moment, created_to: moment, sums: [sums] };
  const list = <Row>(make: (id: string) => Row) => ({
    data: Array.from({ length: 25 }, (_, index) => make(`id_${index}`)),
    has_more: true,
    next_cursor: 'more',
  });
  const responses: Record<string, () => unknown> = {
    '/component-sessions': () => ({
      ...{ id: 'cs_1', object: 'component_session', token: 't', organization_id: 'org_1' },
      ...{ components: [], masks: [], expires_at: '2999-01-01T00:00:00.000Z' },
      api_base: `${location.origin}/api`,
    }),
    '/api/donations': () => list(donation),
    '/api/donors': () => list(donor),
    '/api/payouts': () => list(payout),
    '/api/donations/don_1': () => donation('don_1'),
    '/api/payouts/po_1': () => payout('po_1'),
    '/api/payouts/po_1/transactions': () => ({
      data: [payoutPart],
      has_more: false,
      next_cursor: null,
    }),
    '/api/donations/summary': () => ({ object: 'donation_summary', data: [sums] }),
    '/api/donations/series': () => ({
      ...{ object: 'donation_series', interval: 'day', time_zone: 'UTC', data: [step] },
    }),
  };
  let calls = 0;

  /** Returns an event stream that ends only when the client aborts it. */
  const stream = (signal: AbortSignal) => {
    const name = `stream ${(calls += 1)}`;
    open.add(name);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(
          new TextEncoder().encode('id: 1\nevent: open\ndata: {"resumed":false}\n\n'),
        );
        const end = () => {
          open.delete(name);
          controller.error(signal.reason);
        };
        signal.addEventListener('abort', end, { once: true });
      },
      cancel: () => void open.delete(name),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };

  window.fetch = async (address, init = {}) => {
    const { pathname } = new URL(address as string);
    if (pathname === '/api/live') return stream(init.signal!);
    const name = `${pathname} ${(calls += 1)}`;
    open.add(name);
    await new Promise((resolve) => setTimeout(resolve));
    open.delete(name);
    init.signal?.throwIfAborted();
    const response = responses[pathname]?.();
    return new Response(JSON.stringify(response ?? {}), { status: response ? 200 : 404 });
  };
}
