import type { Rule } from 'eslint';

/** Modules by source folder, lowest layer first, with a description of their contents. */
export const MODULE_LAYERS: Record<string, Record<string, string>>;

/** An ESLint rule that rejects imports from a lower layer to a higher one. */
export function layersRule(
  layers: Record<string, Record<string, string>>,
  root: string,
): Rule.RuleModule;
