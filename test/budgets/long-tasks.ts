import type { CDPSession, Page } from 'playwright';

const SLOW_DOWN = 4;

interface Slice {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** What the thread itself was busy: other programs of the machine do not lengthen it. */
  tdur?: number;
}

/** In milliseconds of a machine that is four times as slow. */
export interface LongestTasks {
  /** With a script in it: the page has none but ours. Whatever else the task did counts as ours. */
  ours: number;
  /** Without one: the browser reads the page, makes room for scripts, lays out and paints. */
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
  return readSlices(slices);
}

async function trace(cdp: CDPSession, load: () => Promise<void>): Promise<Slice[]> {
  const slices: Slice[] = [];
  cdp.on('Tracing.dataCollected', ({ value }) => {
    for (const one of value) slices.push(one as unknown as Slice);
  });
  const done = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
  const categories = 'toplevel,devtools.timeline,v8';
  await cdp.send('Tracing.start', { categories, transferMode: 'ReportEvents' });
  await load();
  await cdp.send('Tracing.end');
  await done;
  return slices;
}

function readSlices(slices: Slice[]): LongestTasks {
  const whole = slices.filter(({ ph, dur }) => ph === 'X' && dur);
  const main = threadOf(whole);
  const own = whole.filter(({ pid, tid }) => `${pid} ${tid}` === main);
  const scripts = own.filter(({ name }) => SCRIPT.test(name));
  const longest = { ours: 0, browser: 0 };
  for (const task of own.filter(({ name }) => name === 'ThreadControllerImpl::RunTask')) {
    const end = task.ts + task.dur!;
    const whose = scripts.some(({ ts }) => ts >= task.ts && ts < end) ? 'ours' : 'browser';
    longest[whose] = Math.max(longest[whose], millisecondsOf(task));
  }
  if (!longest.ours) throw new Error('The trace has no task with a script in it.');
  return longest;
}

const millisecondsOf = ({ tdur = 0 }: Slice) => (tdur * SLOW_DOWN) / 1000;

/** The thread that ran most scripts is the page's: nothing else on the page has any. */
function threadOf(slices: readonly Slice[]): string {
  const sums = new Map<string, number>();
  for (const { name, pid, tid, dur = 0 } of slices) {
    if (name !== 'EvaluateScript' && name !== 'v8.evaluateModule' && name !== 'RunMicrotasks')
      continue;
    sums.set(`${pid} ${tid}`, (sums.get(`${pid} ${tid}`) ?? 0) + dur);
  }
  const [most] = [...sums].toSorted(([, one], [, other]) => other - one);
  if (!most) throw new Error('The trace has no script in it.');
  return most[0];
}
