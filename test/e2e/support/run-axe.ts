import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ElementHandle, Frame, Page } from 'playwright/test';

/** What axe found broken, or could not say. */
export interface AxeResults {
  violations: AxeFinding[];
  incomplete: AxeFinding[];
}

export interface AxeFinding {
  id: string;
  /** A node in a frame has one selector for each document on the way to it. */
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

/** The axe of Playwright's own builder, as a page takes it. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Runs axe in a page and in each of its frames.
 *
 * The builder of `@axe-core/playwright` does the same, but brings half a megabyte of axe into every
 * frame for every look, opens a page to put together what the frames have found, and leaves out a frame
 * that takes more than a second to read axe. Here each document reads axe once.
 *
 * @param context what to look at, and what not; the whole page when both lists are empty
 */
export async function runAxe(page: Page, context: object, options: object): Promise<AxeResults> {
  const asked = { ...options, resultTypes: ['violations', 'incomplete'] };
  const partials = await analyzeFrame(page.mainFrame(), context, asked);
  return await page.evaluate(
    async ([found, how]) => {
      const all = JSON.parse(found) as (object | null)[];
      const { violations, incomplete } = await axe.finishRun(all, how);
      return { violations, incomplete };
    },
    [`[${partials.join()}]`, asked] as const,
  );
}

/**
 * What a document has found, and then what its frames have, in the order in which axe names them.
 *
 * As text: that is a quarter of a megabyte of objects, which Playwright would copy one by one, twice.
 */
async function analyzeFrame(frame: Frame, context: object, options: object): Promise<string[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(AXE);
  const asked = [context, options] as const;
  const inner = await frame.evaluate(
    ([where, how]) => axe.utils.getFrameContexts(where, how),
    asked,
  );
  const partials = [
    await frame.evaluate(
      async ([where, how]) => JSON.stringify(await axe.runPartial(where, how)),
      asked,
    ),
  ];
  for (const { frameSelector, frameContext } of inner) {
    // A frame may leave while it is looked into, and takes with it what is inside.
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
