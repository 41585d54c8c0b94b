import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ElementHandle, Frame, Page } from 'playwright/test';

/** Findings of axe: violations, and checks without a result. */
export interface AxeResults {
  violations: AxeFinding[];
  incomplete: AxeFinding[];
}

export interface AxeFinding {
  id: string;
  /** For a node in a frame the target has one selector for each document on its path. */
  nodes: { target: unknown[] }[];
}

interface FrameContext {
  frameSelector: unknown;
  frameContext: object;
}

declare const axe: {
  runPartial: (context: object, options: object) => Promise<object>;
  finishRun: (partials: (object | null)[], options: object) => Promise<AxeResults>;
  utils: {
    getFrameContexts: (context: object, options: object) => FrameContext[];
    shadowSelect: (selector: unknown) => Element | null;
  };
};

/** The source of axe, the same version that `@axe-core/playwright` uses. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Runs axe in a page and in each of its frames.
 *
 * `@axe-core/playwright` does the same, but injects half a megabyte into every frame for every run,
 * opens a page to merge the results, and skips a frame that takes more than a second to load axe.
 * Here each document loads axe once.
 *
 * @param context elements to include and to exclude; the whole page if both lists are empty
 */
export async function runAxe(page: Page, context: object, options: object): Promise<AxeResults> {
  const runOptions = { ...options, resultTypes: ['violations', 'incomplete'] };
  const partials = await analyzeFrame(page.mainFrame(), context, runOptions);
  return await page.evaluate(
    async ([found, how]) => {
      const all = JSON.parse(found) as (object | null)[];
      const { violations, incomplete } = await axe.finishRun(all, how);
      return { violations, incomplete };
    },
    [`[${partials.join()}]`, runOptions] as const,
  );
}

/**
 * Returns the partial results of a document and then of its frames, in axe's order.
 *
 * The results are strings, because Playwright would serialize a quarter of a megabyte of objects
 * one by one, twice.
 */
async function analyzeFrame(frame: Frame, context: object, options: object): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  const runOptions = [context, options] as const;
  const inner = await frame.evaluate(
    ([where, how]) => axe.utils.getFrameContexts(where, how),
    runOptions,
  );
  const partials = [
    await frame.evaluate(
      async ([where, how]) => JSON.stringify(await axe.runPartial(where, how)),
      runOptions,
    ),
  ];
  for (const { frameSelector, frameContext } of inner) {
    // A frame may be removed during its check, with all frames in it.
    const found = await frameAt(frame, frameSelector)
      .then((child) => child && analyzeFrame(child, frameContext, options))
      .catch(() => null);
    partials.push(...(found ?? ['null']));
  }
  return partials;
}

async function frameAt(frame: Frame, selector: unknown): Promise<Frame | null> {
  const found = await frame.evaluateHandle((path) => axe.utils.shadowSelect(path), selector);
  const element = found.asElement() as ElementHandle<Element> | null;
  return element ? await element.contentFrame() : null;
}
