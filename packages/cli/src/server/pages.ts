import { givingPages } from '@connect-embed/donor-pages/giving-page';
import { createShareImageDrawer } from '@connect-embed/donor-pages/giving-page/node';

/** Creates the pages that the process of the server has. */
export const createPages = () => givingPages({ drawShareImage: createShareImageDrawer() });
