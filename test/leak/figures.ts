import type { CDPSession } from 'playwright';

/** Browser metrics that can show a leak. */
export const METRIC_KINDS = ['JSEventListeners', 'Frames', 'Nodes', 'Documents'] as const;
type Figures = Record<(typeof METRIC_KINDS)[number], number>;

/** Returns the metrics after garbage collection. */
export async function measureHeap(cdp: CDPSession): Promise<Figures> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return Object.fromEntries(METRIC_KINDS.map((kind) => [kind, figure(kind)])) as Figures;
}

/**
 * Returns the increase of the metrics. The browser frees frames and their content asynchronously,
 * so the increase is measured repeatedly until it is zero, or for ten seconds.
 */
export async function measureRetained(cdp: CDPSession, before: Figures): Promise<Figures> {
  for (let attempt = 0; ; attempt += 1) {
    const now = await measureHeap(cdp);
    const growth = Object.fromEntries(METRIC_KINDS.map((kind) => [kind, now[kind] - before[kind]]));
    if (attempt === 20 || METRIC_KINDS.every((kind) => (growth[kind] ?? 0) <= 0))
      return growth as Figures;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
