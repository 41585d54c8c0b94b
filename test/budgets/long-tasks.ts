import type { CDPSession, Page } from 'playwright';

const CPU_SLOWDOWN = 4;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** CPU time of the thread in microseconds, without time for other programs. */
  tdur?: number;
  args?: { data?: { url?: string } };
}

/** A task of the page's main thread; times are in microseconds. */
interface MainThreadTask {
  from: number;
  until: number;
  busy: number;
}

/** Durations in milliseconds, scaled to a CPU that is four times slower. */
export interface LongestTasks {
  /** The longest task that ran a script. The page has only our scripts, so the whole task counts. */
  ours: number;
  /** The longest task without a script, such as layout and paint, since our script was loaded. */
  browser: number;
}

const SCRIPT =
  /^(EvaluateScript|FunctionCall|TimerFire|FireAnimationFrame|EventDispatch|RunMicrotasks|v8\.\w+)$/;

/**
 * Measures the longest tasks of a page load, scaled to a CPU that is four times slower.
 *
 * The tasks are read from the browser's trace as CPU time, so that waiting for other programs does
 * not count. No code of the measurement runs in the page.
 * docs/decisions/0067-layout-shift-and-long-tasks.md
 *
 * @param load opens the page and waits until it is idle, without running a script in it
 */
export async function longestTasks(page: Page, load: () => Promise<void>): Promise<LongestTasks> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true }); // Every load is like a first visit.
  const slices = await trace(cdp, load);
  await cdp.detach();
  return longestOf(slices);
}

async function trace(cdp: CDPSession, load: () => Promise<void>): Promise<TraceEvent[]> {
  const slices: TraceEvent[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const item of value) slices.push(item as unknown as TraceEvent);
  });
  const done = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  const categories = 'toplevel,devtools.timeline,v8,v8.execute';
  await cdp.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await load();
  await cdp.send('Tracing.end');
  await done;
  return slices;
}

function longestOf(slices: TraceEvent[]): LongestTasks {
  const complete = slices.filter(({ ph, dur }) => ph === 'X' && dur).toSorted(byTimestamp);
  const arrival = scriptLoadOf(complete);
  const own = complete.filter(({ pid, tid }) => pid === arrival.pid && tid === arrival.tid);
  const scripts = own.filter(({ name }) => SCRIPT.test(name));
  const longest = { ours: 0, browser: 0 };
  for (const { from, until, busy } of tasksOf(own)) {
    if (until < arrival.ts) continue;
    const category = scripts.some(({ ts }) => ts >= from && ts < until) ? 'ours' : 'browser';
    longest[category] = Math.max(longest[category], (busy * CPU_SLOWDOWN) / 1000);
  }
  return longest;
}

const byTimestamp = (one: TraceEvent, other: TraceEvent) => one.ts - other.ts;

/** Microtasks after a task block the page as well, so they are added to it. */
function tasksOf(slices: readonly TraceEvent[]): MainThreadTask[] {
  const tasks: MainThreadTask[] = [];
  for (const { name, ts, dur = 0, tdur = 0 } of slices) {
    const last = tasks.at(-1);
    if (name === 'ThreadControllerImpl::RunTask') {
      tasks.push({ from: ts, until: ts + dur, busy: tdur });
    } else if (name === 'BlinkScheduler_PerformMicrotaskCheckpoint' && last && ts >= last.until) {
      last.busy += tdur;
      last.until = ts + dur;
    }
  }
  return tasks;
}

/**
 * Finds the compilation of our script in the main thread of the page; the browser has other pages
 * of its own.
 */
function scriptLoadOf(slices: readonly TraceEvent[]): TraceEvent {
  const arrival = slices.find(
    ({ name, args }) => /^v8\.compile/.test(name) && /\/connect\.js/.test(args?.data?.url ?? ''),
  );
  if (!arrival) throw new Error('The trace has no script of ours in it.');
  return arrival;
}
