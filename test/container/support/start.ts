import { buildImage, ensureBaseImages, IMAGE } from './base-images.ts';
import { podman } from './engine.ts';
import { startInstallation } from './installation.ts';

export const INSTALLATION_VARIABLE = 'CONTAINER_INSTALLATION';

/** Global setup: builds the image, starts the installation, and stops it after the last test. */
export default async function start() {
  await ensureBaseImages();
  await buildImage();
  const bytes = await podman('image', 'inspect', '--format', '{{.Size}}', IMAGE);
  console.log(`size of the image: ${Math.round(Number(bytes) / 1e6)} MB`);
  const { stop, ...installation } = await startInstallation();
  // Worker processes inherit the environment.
  process.env[INSTALLATION_VARIABLE] = JSON.stringify(installation);
  return stop;
}
