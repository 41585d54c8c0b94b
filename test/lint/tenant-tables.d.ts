import type { Rule } from 'eslint';

export const GLOBAL_TABLES: readonly string[];
export const tenantTablesRule: Rule.RuleModule;
