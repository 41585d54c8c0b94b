/** What of a class is no part of its public face. */
const isPrivate = ({ name, privacy }) =>
  name.startsWith('#') || name.startsWith('_') || privacy === 'private' || privacy === 'protected';

/** What the browser or Lit calls by itself, and what a base has marked as internal and a class below repeats. */
const OURS = new Set([
  'attributeChangedCallback',
  'connectedCallback',
  'disconnectedCallback',
  'observedAttributes',
  'properties',
  // Of a node inside, in a constructor.
  'role',
  'styles',
  'pages',
  'defaultColumns',
  // A state among `static properties`, where no `@internal` is read.
  'features',
]);

const isElement = (declaration) => declaration.customElement && declaration.tagName;

/** Where a module stands in the package: `src/connect-donate.ts` is `connect-donate.js`. */
const published = (path) => path.replace(/^\/?src\//, '').replace(/\.ts$/, '.js');

const renamed = ({ name, module }) => ({ name, ...(module && { module: published(module) }) });

/** A class as a page knows it, an element like any other: from which of our own classes it inherits is nobody's business. */
function publicFace(declaration) {
  const { members = [], superclass, ...face } = declaration;
  const shown = members.filter((one) => !isPrivate(one) && !OURS.has(one.name));
  if (face.attributes)
    face.attributes = face.attributes.filter(({ fieldName }) => !OURS.has(fieldName));
  // Those that the doc block names; one that is found in a line has neither name nor description.
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

/** Elements and events, by the names under which the package has them. */
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

/** `npm run manifest` writes `custom-elements.json`; `publish/manifest.test.ts` holds it. */
export default {
  globs: ['src/connect-*.ts', 'src/*events.ts', 'src/tables/*-element.ts'],
  exclude: ['src/**/*.test.ts', 'src/**/*.styles.ts'],
  litelement: true,
  packagejson: false,
  plugins: [asPublished],
};
