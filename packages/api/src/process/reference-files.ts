import { join } from 'node:path';
import { createResourceRoutes } from '../app.ts';
import { describeApi } from '../openapi/document.ts';
import { GUIDES } from '../openapi/guides.ts';
import {
  DOCS_SCRIPT,
  DOCS_SCRIPT_FILE,
  DOCS_STYLE,
  DOCS_STYLE_FILE,
  docsPage,
} from '../openapi/page.ts';
import { SWAGGER_UI_FILES, swaggerUiFolder } from '../openapi/swagger-ui.ts';
import type { Deps } from '../deps.ts';

/** The API reference as static files: docs/decisions/0104-docs-site.md */
export interface ReferenceFiles {
  /** Text by file name: the page, its style sheet and script, and the OpenAPI document. */
  texts: Record<string, string>;
  /** The files of Swagger UI, to be copied to `swagger-ui`. */
  swaggerUi: string[];
}

/** The page's addresses on the API, and below one folder of static files. The site has the guides as pages. */
const ADDRESSES = [
  ...Object.keys(GUIDES).map((name) => [`/docs/guides/${name}"`, `../api/${name}.html"`] as const),
  ['/docs/errors', '../api/errors.html'],
  ['/api/v1/openapi.json', 'openapi.json'],
  ['/docs/', './'],
  ['"/docs#', '"#'],
  ['"/docs"', '"./"'],
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
      'index.html': relative(String(docsPage(description, baseUrl, '/docs/swagger-ui'))),
      [DOCS_STYLE_FILE]: DOCS_STYLE,
      [DOCS_SCRIPT_FILE]: relative(DOCS_SCRIPT),
      'openapi.json': JSON.stringify(description, null, 2),
    },
    swaggerUi: Object.keys(SWAGGER_UI_FILES).map((file) => join(swaggerUiFolder()!, file)),
  };
}

/** Every property and every result of a call is the same object, so that routes can be created. */
function unusedDeps(): Deps {
  const nothing: unknown = new Proxy(() => nothing, {
    get: (_, name) => (name === Symbol.toPrimitive ? () => 0 : nothing),
  });
  return nothing as Deps;
}
