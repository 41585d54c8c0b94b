import type { CDPSession, Page } from 'playwright';

const CPU_SLOWDOWN = 4;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** What the thread itself was busy: other programs of the machine do not lengthen it. */
  tdur?: number;
  args?: { data?: { url?: string } };
}

/** One turn of the page's thread. */
interface MainThreadTask {
  from: number;
  until: number;
  busy: number;
}

/** In milliseconds of a machine that is four times as slow. */
export interface LongestTasks {
  /** With a script in it: the page has none but ours. Whatever else the task did counts as ours. */
  ours: number;
  /** Without one, since ours was there: the browser lays out and paints. */
  browser: number;
}

const SCRIPT =
  /^(EvaluateScript|FunctionCall|TimerFire|FireAnimationFrame|EventDispatch|RunMicrotasks|v8\.\w+)$/;

/**
 * The longest tasks of a page while it loads on a machine that is four times as slow.
 *
 * Read from the browser's own trace, in the time that its thread was busy: waiting for other programs
 * is no work, and nothing of the measuring runs in the page. docs/decisions/0068-long-tasks.md
 *
 * @param load opens the page, and waits until it is at rest, without a script in it
 */
export async function longestTasks(page: Page, load: () => Promise<void>): Promise<LongestTasks> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true }); // Every load is a first one.
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

/** What waits for promises runs after a task, and is as much in the way as the task is. */
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

/** The browser has our script, in the thread that is the page's: it has other pages of its own. */
function scriptLoadOf(slices: readonly TraceEvent[]): TraceEvent {
  const arrival = slices.find(
    ({ name, args }) => /^v8\.compile/.test(name) && /\/connect\.js/.test(args?.data?.url ?? ''),
  );
  if (!arrival) throw new Error('The trace has no script of ours in it.');
  return arrival;
}
