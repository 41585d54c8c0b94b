import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface PackageJson {
  name?: string;
  version?: string;
  link?: boolean;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/**
 * Sets the version of every workspace, in their `package.json` and in the lock file, and the ranges with which
 * they depend on each other.
 *
 * @param root folder of the repository
 */
export function setVersion(root: string, version: string): void {
  const { workspaces = [] } = readJson<PackageJson>(join(root, 'package.json'));
  for (const file of globSync(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: root },
  )) {
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
}

function setIn(json: PackageJson, version: string) {
  if (json.version) json.version = version;
  for (const ranges of [json.dependencies, json.peerDependencies]) {
    for (const name in ranges) if (name.startsWith('@connect-embed/')) ranges[name] = `^${version}`;
  }
}

const readJson = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const writeJson = (file: string, json: unknown) =>
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`);
