import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { createResourceRoutes } from '../app.ts';
import { describeApi } from '../openapi/document.ts';
import { withGuides } from '../openapi/routes.ts';
import {
  DOCS_SCRIPT,
  DOCS_SCRIPT_FILE,
  DOCS_STYLE,
  DOCS_STYLE_FILE,
  docsPage,
} from '../openapi/page.ts';
import type { Deps } from '../deps.ts';

/** The API reference as static files: docs/decisions/0104-docs-site.md */
export interface ReferenceFiles {
  /** Text by file name: the page, its style sheet and script, and the OpenAPI document. */
  texts: Record<string, string>;
  /** The folder of Scalar's browser build, to be copied to `scalar`. */
  scalarFolder: string;
}

/** The page's addresses on the API, and below one folder of static files. */
const ADDRESSES = [
  ['/docs/errors', '../api/errors.html'],
  ['/api/v1/openapi.json', 'openapi.json'],
  ['/docs/', './'],
] as const;

/**
 * Describes the API without running it. The routes are created with dependencies that no request uses.
 *
 * @param baseUrl URL of the API in examples
 */
export function referenceFiles(baseUrl: string): ReferenceFiles {
  const description = describeApi(createResourceRoutes(unusedDeps()).routes, baseUrl);
  const relative = (text: string) =>
    ADDRESSES.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  return {
    texts: {
      'index.html': relative(String(docsPage(description, '/docs/scalar/standalone.esm.js'))),
      [DOCS_STYLE_FILE]: DOCS_STYLE,
      [DOCS_SCRIPT_FILE]: relative(DOCS_SCRIPT),
      'reference.json': JSON.stringify(withGuides(description, baseUrl)),
      'openapi.json': JSON.stringify(description, null, 2),
    },
    scalarFolder: join(
      dirname(findPackageJSON('@scalar/api-reference', import.meta.url)!),
      'dist/browser',
    ),
  };
}

/** Every property and every result of a call is the same object, so that routes can be created. */
function unusedDeps(): Deps {
  const nothing: unknown = new Proxy(() => nothing, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : nothing),
  });
  return nothing as Deps;
}
