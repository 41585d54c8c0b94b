import { MANUAL_PAGES, MANUAL_PATH } from '../pages/manual-link.ts';
import { guidePages } from './guides.ts';

/** `GET /help/organizations/{name}`: the manual for organizations. */
export const manualPages = () =>
  guidePages({
    path: MANUAL_PATH,
    folder: new URL('../../../../docs/organizations/', import.meta.url),
    titles: MANUAL_PAGES,
    listTitle: 'Manual',
    pageTitle: (title) => title,
  });
