import type { LoadPages } from '@connect-embed/api/process/roles';

/** Loads the pages. A worker does not, and starts in half the time. */
export const loadPages: LoadPages = async () => (await import('./pages.ts')).createPages;
