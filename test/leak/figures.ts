import type { CDPSession } from 'playwright';

/** What a page may be found to hold. */
export const METRIC_KINDS = ['JSEventListeners', 'Frames', 'Nodes', 'Documents'] as const;
type Figures = Record<(typeof METRIC_KINDS)[number], number>;

/** What the browser still holds once everything that nobody needs has been thrown away. */
export async function measureHeap(cdp: CDPSession): Promise<Figures> {
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const figure = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return Object.fromEntries(METRIC_KINDS.map((kind) => [kind, figure(kind)])) as Figures;
}

/**
 * What a hundred turns have left behind. Frames and what stood in them go in the browser's own
 * time, so it is asked again until nothing is left, or for so long that something is.
 */
export async function measureRetained(cdp: CDPSession, before: Figures): Promise<Figures> {
  for (let asked = 0; ; asked += 1) {
    const now = await measureHeap(cdp);
    const left = Object.fromEntries(METRIC_KINDS.map((kind) => [kind, now[kind] - before[kind]]));
    if (asked === 20 || METRIC_KINDS.every((kind) => (left[kind] ?? 0) <= 0))
      return left as Figures;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
