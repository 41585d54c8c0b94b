import { defineConfig } from '../connect-config.ts';

/** The forms that documents name by their lasting addresses. */
export default defineConfig({ forms: { default: {}, spring: {}, meals: {} } });
