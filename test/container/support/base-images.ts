import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { COMPOSE, readText, readYaml, type ComposeFile } from '../../deploy/files.ts';
import { findProgram } from '../../support/find-program.ts';
import { build, importDebian, podman, ROOT } from './engine.ts';

const IMAGES = join(import.meta.dirname, '../images');

/** The images that `deploy` names, with the file that makes a stand-in for each. */
const STAND_INS = {
  'docker.io/library/node:24-slim': 'node.Containerfile',
  'docker.io/library/postgres:18': 'postgres.Containerfile',
  'docker.io/library/caddy:2': 'caddy.Containerfile',
};

const exists = (image: string) =>
  podman('image', 'exists', image).then(
    () => true,
    () => false,
  );

/** Makes a stand-in for each image that `deploy` takes from a registry, unless an earlier run has made it. */
export async function ensureBaseImages(): Promise<void> {
  if (!(await exists('localhost/debian'))) await importDebian('localhost/debian');
  for (const [image, file] of Object.entries(STAND_INS)) {
    if (await exists(image)) continue;
    const context = mkdtempSync(join(tmpdir(), 'connect-image-'));
    cpSync(IMAGES, context, { recursive: true });
    if (file === 'node.Containerfile') addNode(context);
    await build(image, join(context, file), context);
    rmSync(context, { recursive: true });
  }
}

function addNode(context: string): void {
  const npmCli = realpathSync(findProgram('npm')!); // npm/bin/npm-cli.js
  const files = {
    node: process.execPath,
    npm: dirname(dirname(npmCli)),
    'ca-certificates.crt': '/etc/ssl/certs/ca-certificates.crt',
  };
  for (const [name, source] of Object.entries(files)) {
    cpSync(source, join(context, name), { recursive: true, dereference: true });
  }
}

/** The image that `deploy/compose.yaml` starts. */
export const IMAGE = readYaml<ComposeFile>(COMPOSE).services['connect']!.image;

/** Removes the digests that a release writes beside the tags of images, because stand-ins have others. */
export const withoutDigests = (text: string) => text.replaceAll(/@sha256:[0-9a-f]{64}/g, '');

/** Builds the image as `docker compose build` does. */
export async function buildImage(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'connect-dockerfile-'));
  const file = join(folder, 'Dockerfile');
  writeFileSync(file, withoutDigests(readText('deploy/Dockerfile')));
  await build(IMAGE, file, ROOT);
  rmSync(folder, { recursive: true });
}
