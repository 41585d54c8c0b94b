import type { Pages } from '@connect-embed/api/app';
import type { Config } from '@connect-embed/api/config';
import type { OpenDatabase } from '@connect-embed/api/db/database';
import type { Deps } from '@connect-embed/api/deps';
import { memberPages } from '@connect-embed/dashboard/routes';
import { createDeps as createMemberDeps } from '@connect-embed/dashboard/pages/deps';
import { renderMemberError } from '@connect-embed/dashboard/pages/error-page';
import { createDeps as createDonorDeps } from '@connect-embed/donor-pages/deps';
import { donorErrors, isDonorPath } from '@connect-embed/donor-pages/error-page';
import { donorPages } from '@connect-embed/donor-pages/routes';

/** Creates all pages that the process of the API serves. */
export function createPages(config: Config, database: OpenDatabase, api: Deps): Pages {
  const renderDonorError = donorErrors(api.baseUrl);
  return {
    routes: [
      memberPages(createMemberDeps(config, database, api)),
      donorPages(createDonorDeps(config, database, api)),
    ],
    renderError: (c, error) =>
      isDonorPath(c.req.path) ? renderDonorError(c, error) : renderMemberError(c, error),
  };
}
