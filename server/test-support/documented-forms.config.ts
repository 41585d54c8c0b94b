import { defineConfig } from '../connect-config.ts';

/** The forms that the documents name in `/embed/{form}` and `/give/{form}` URLs. */
export default defineConfig({ forms: { default: {}, spring: {}, meals: {} } });
