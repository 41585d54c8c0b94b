import { begin, end } from './test-hooks.ts';
import '@connect-embed/elements/test-support/set-up.js';
import '@connect-embed/elements/define.js';
import { setCustomElementsManifest, type Preview } from '@storybook/web-components-vite';
import manifest from '@connect-embed/elements/custom-elements.json';

setCustomElementsManifest(manifest);

const preview: Preview = {
  tags: ['autodocs'],
  parameters: { layout: 'padded', controls: { expanded: true } },
  globalTypes: {
    scheme: {
      description: 'Color scheme of the page',
      toolbar: { icon: 'mirror', items: ['light', 'dark'], dynamicTitle: true },
    },
    direction: {
      description: 'Direction of the page',
      toolbar: { icon: 'transfer', items: ['ltr', 'rtl'], dynamicTitle: true },
    },
  },
  initialGlobals: { scheme: 'light', direction: 'ltr' },
  async beforeEach() {
    await begin();
    return end;
  },
  decorators: [
    (story, { globals }) => {
      const { style } = document.documentElement;
      style.colorScheme = globals['scheme'] as string;
      style.background = document.body.style.background = 'Canvas';
      style.fontFamily = 'system-ui, sans-serif';
      document.documentElement.dir = globals['direction'] as string;
      return story();
    },
  ],
  // `stories.e2e.ts` waits for this attribute before it takes screenshots.
  afterEach: () => void (document.documentElement.dataset['story'] = 'finished'),
};

export default preview;
