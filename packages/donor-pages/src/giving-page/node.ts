/** What giving pages need of Node. */
export { createShareImageDrawer } from './draw-share-image.ts';
