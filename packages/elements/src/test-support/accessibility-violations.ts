import 'axe-core/axe.min.js';
import type { AxeResults, RunOptions } from 'axe-core';

declare const axe: { run: (node: Element, options: RunOptions) => Promise<AxeResults> };

/**
 * Runs axe and returns its violations and undecided ("incomplete") results. A test expects an empty
 * list.
 */
export async function findViolations(element: Element): Promise<string[]> {
  for (const animation of element.getAnimations({ subtree: true })) animation.cancel();
  const { violations, incomplete } = await axe.run(element, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations', 'incomplete'],
    // Rules for whole pages, which do not apply to an element.
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
  });
  return [...violations, ...incomplete].flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target.flat().join(' ')} (${any[0]?.message ?? ''})`),
  );
}
