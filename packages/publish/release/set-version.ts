import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface PackageJson {
  version?: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const OWN_PACKAGE = /^(?:@connect-embed\/.+|connect-embed)$/;

/** Files that name the current version for people or programs. */
export const FILES_WITH_VERSION = [
  'docs/accessibility-conformance.md',
  'deploy/compose.yaml',
  'docs/adopting.md',
  'docs/operations-variants.md',
  'docs/recipes.md',
];

/**
 * Sets the version of every workspace, in their `package.json` and in the lock file, the ranges with which
 * they depend on each other, and the version in `FILES_WITH_VERSION`.
 *
 * @param root folder of the repository
 */
export function setVersion(root: string, last: string, version: string): void {
  const { workspaces = [] } = readJson<PackageJson>(join(root, 'package.json'));
  const manifests = workspaces.map((folder) => `${folder}/package.json`);
  for (const file of globSync(manifests, { cwd: root })) {
    const path = join(root, file);
    const json = readJson<PackageJson>(path);
    setIn(json, version);
    writeJson(path, json);
  }
  const lockFile = join(root, 'package-lock.json');
  const lock = readJson<{ packages: Record<string, PackageJson> }>(lockFile);
  for (const [folder, json] of Object.entries(lock.packages)) {
    if (folder && !folder.includes('node_modules/')) setIn(json, version);
  }
  writeJson(lockFile, lock);
  for (const file of FILES_WITH_VERSION) {
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(last, version));
  }
}

function setIn(json: PackageJson, version: string) {
  if (json.version) json.version = version;
  for (const ranges of [json.dependencies, json.devDependencies, json.peerDependencies]) {
    for (const name in ranges) if (OWN_PACKAGE.test(name)) ranges[name] = `^${version}`;
  }
}

const readJson = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const writeJson = (file: string, json: unknown) =>
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
