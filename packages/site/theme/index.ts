import DefaultTheme from 'vitepress/theme-without-fonts';
import type { Theme } from 'vitepress';
import FrontPage from './FrontPage.vue';
import PlayGround from './PlayGround.vue';
import './style.css';

/** The theme of VitePress without its fonts, in the colors of the dashboard. */
const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) =>
    void app.component('FrontPage', FrontPage).component('PlayGround', PlayGround),
};
export default theme;
