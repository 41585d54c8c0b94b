/**
 * The pages of a server for donors: `createConnectServer(config, givingPages())`. Web-standard: it imports
 * nothing of Node.
 */
import type { CreatePages, Env } from '@connect-embed/server/pages';
import { Hono } from 'hono';
import { embedRoutes } from './embed.ts';
import { imageRoutes } from './images.ts';
import { cachedOrganizations } from './organizations.ts';
import { giveRoutes } from './pages.ts';
import type { DrawShareImage } from './share-image.ts';

export type { DrawShareImage };

export interface GivingPagesOptions {
  /** Draws the images of links in social media, as `createShareImageDrawer` of the entry for Node. */
  drawShareImage?: DrawShareImage;
}

/** Creates the permanent pages of forms, `/give/{form}` and `/embed/{form}`: docs/decisions/0100-giving-pages.md */
export const givingPages =
  ({ drawShareImage }: GivingPagesOptions = {}): CreatePages =>
  (server) => {
    const deps = { ...server, organizations: cachedOrganizations(server) };
    // The images come first, because their paths have the form of a page of a connected organization.
    return new Hono<Env>()
      .route('/', imageRoutes(deps, drawShareImage))
      .route('/', giveRoutes(deps, { hasShareImages: drawShareImage !== undefined }))
      .route('/embed', embedRoutes(deps));
  };
