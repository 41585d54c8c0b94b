/** Whether a class member is not part of the public API. */
const isPrivate = ({ name, privacy }) =>
  name.startsWith('#') || name.startsWith('_') || privacy === 'private' || privacy === 'protected';

/** Members that Lit or the browser use, and overrides of base class members that are marked `@internal`. */
const OURS = new Set([
  'connectedCallback',
  'disconnectedCallback',
  'styles',
  'pages',
  'defaultColumns',
]);

const isElement = (declaration) => declaration.customElement && declaration.tagName;

/**
 * Converts a source path to the path in the published package: `src/connect-donate.ts` →
 * `connect-donate.js`.
 */
const published = (path) => path.replace(/^\/?src\//, '').replace(/\.ts$/, '.js');

const renamed = ({ name, module }) => ({ name, ...(module && { module: published(module) }) });

/**
 * Reduces a declaration to its public API. Our own base classes are hidden: an element extends
 * `HTMLElement`.
 */
function publicFace(declaration) {
  const { members = [], superclass, ...face } = declaration;
  const shown = members.filter((one) => !isPrivate(one) && !OURS.has(one.name));
  if (face.attributes)
    face.attributes = face.attributes.filter(({ fieldName }) => !OURS.has(fieldName));
  // Keep only events from the doc block. Events that the analyzer finds in code lack a name and
  // description.
  if (face.events) face.events = face.events.filter(({ name }) => name?.startsWith('connect-'));
  const lists = ['attributes', 'events', 'slots', 'cssParts', 'cssProperties'];
  for (const list of lists) face[list]?.forEach((one) => delete one.inheritedFrom);
  for (const member of shown) delete member.inheritedFrom;
  return {
    ...face,
    superclass: isElement(face) ? { name: 'HTMLElement' } : renamed(superclass),
    members: shown,
  };
}

/** Analyzer plugin: keeps the elements and events, with the module paths of the published package. */
const asPublished = {
  name: 'as-published',
  packageLinkPhase({ customElementsManifest: manifest }) {
    manifest.modules = manifest.modules
      .map((module) => ({
        ...module,
        path: published(module.path),
        declarations: module.declarations
          .filter((one) => isElement(one) || one.name.endsWith('Event'))
          .map(publicFace),
      }))
      .filter(({ declarations }) => declarations.length > 0);
    for (const module of manifest.modules) {
      module.exports = module.declarations.map(({ name }) => ({
        kind: 'js',
        name,
        declaration: { name, module: module.path },
      }));
      for (const { name, tagName } of module.declarations.filter(isElement)) {
        module.exports.push({
          kind: 'custom-element-definition',
          name: tagName,
          declaration: { name, module: module.path },
        });
      }
    }
  },
};

/**
 * Configuration of the custom elements manifest analyzer, which `packages/publish/manifest.ts` runs. `npm run
 * manifest` writes `custom-elements.json`; `packages/publish/manifest.test.ts` checks that it is current.
 */
export default {
  globs: ['src/connect-*.ts', 'src/*events.ts', 'src/tables/*-element.ts'],
  exclude: ['src/**/*.test.ts', 'src/**/*.styles.ts'],
  plugins: [asPublished],
};
