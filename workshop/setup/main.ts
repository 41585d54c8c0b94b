import type { StorybookConfig } from '@storybook/web-components-vite';
import { mergeConfig, type Plugin } from 'vite';

/** Tests leave the languages' names to the browser; a build has to know them. */
const languages: Plugin = {
  name: 'languages',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('internal/locale-file.ts') ? code.replace('/* @vite-ignore */', '') : null,
};

const config: StorybookConfig = {
  framework: '@storybook/web-components-vite',
  stories: ['../stories/*.stories.ts'],
  addons: ['@storybook/addon-docs'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (vite) =>
    mergeConfig(vite, {
      plugins: [languages],
      // What waits and what draws, without what judges: that is for the test runner alone.
      resolve: { alias: { '@open-wc/testing': '@open-wc/testing-helpers/pure' } },
    }),
};

export default config;
