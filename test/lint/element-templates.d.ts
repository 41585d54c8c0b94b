import type { Rule } from 'eslint';

export const elementTemplatesRule: Rule.RuleModule;
