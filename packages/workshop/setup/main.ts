import type { StorybookConfig } from '@storybook/web-components-vite';
import { mergeConfig, type Plugin } from 'vite';

/**
 * Lets Vite resolve the imports of language files, by removing the `@vite-ignore` comment that the
 * unbundled element tests need.
 */
const languages: Plugin = {
  name: 'languages',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('shared/locale-file.ts') ? code.replace('/* @vite-ignore */', '') : null,
};

const config: StorybookConfig = {
  framework: '@storybook/web-components-vite',
  stories: ['../stories/*.stories.ts'],
  addons: ['@storybook/addon-docs'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (vite) =>
    mergeConfig(vite, {
      plugins: [languages],
      // The component tests' fixtures without Chai: assertions belong to the test runner.
      resolve: { alias: { '@open-wc/testing': '@open-wc/testing-helpers/pure' } },
    }),
};

export default config;
