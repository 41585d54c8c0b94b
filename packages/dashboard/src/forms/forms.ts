import { Hono } from 'hono';
import type { Deps } from '../pages/deps.ts';
import type { DashboardEnv } from '../pages/env.ts';
import { requirePermission } from '../pages/require-permission.ts';
import { formActions } from './actions.ts';
import { editorPage, previewDraft } from './editor.ts';
import { renderFormOverview } from './form-overview.ts';
import { renderFormList } from './list.ts';
import { newFormPage } from './new-form.ts';
import { pictureActions, picturePage } from './picture.ts';
import { downloadQrCode } from './share/downloads.ts';
import { renderPoster } from './share/poster.ts';
import { renderSharePage } from './share/share-page.ts';
import { renderVersion, versionActions } from './version.ts';

/** Dashboard pages “Forms”: donation forms with their drafts, versions and code for websites. */
export const forms = (deps: Deps) => {
  const creation = newFormPage(deps);
  const editor = editorPage(deps);
  const picture = picturePage(deps);
  return new Hono<DashboardEnv>()
    .get('/', (c) => renderFormList(c, deps))
    .get('/new', requirePermission('admin'), creation.show)
    .post('/', requirePermission('admin'), creation.submit)
    .get('/:id', (c) => renderFormOverview(c, deps))
    .get('/:id/edit', requirePermission('admin'), editor.show)
    .post('/:id/edit', requirePermission('admin'), editor.submit)
    .post('/:id/preview', requirePermission('admin'), (c) => previewDraft(c, deps))
    .get('/:id/picture', requirePermission('admin'), picture.show)
    .post('/:id/picture', requirePermission('admin'), picture.submit)
    .route('/:id/picture', pictureActions(deps))
    .get('/:id/share', (c) => renderSharePage(c, deps))
    .get('/:id/qr.svg', (c) => downloadQrCode(c, deps, 'svg'))
    .get('/:id/qr.png', (c) => downloadQrCode(c, deps, 'png'))
    .get('/:id/poster', (c) => renderPoster(c, deps))
    .route('/:id', formActions(deps))
    .get('/:id/versions/:version', (c) => renderVersion(c, deps))
    .route('/:id/versions/:version', versionActions(deps));
};
