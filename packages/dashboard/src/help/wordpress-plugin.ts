import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../../integrations/wordpress');

let archive: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** Returns the WordPress plugin as the zip file that WordPress installs. It is made at the first call. */
export const loadPluginArchive = () => (archive ??= createArchive());

async function createArchive(): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync } = await import('fflate');
  const read = (file: string) => new Uint8Array(readFileSync(join(FOLDER, file)));
  const files = readdirSync(join(FOLDER, 'connect-embed'), { recursive: true, encoding: 'utf8' })
    .filter((file) => extname(file) !== '')
    .map((file) => `connect-embed/${file}`);
  return zipSync({
    ...Object.fromEntries(files.map((file) => [file, read(file)])),
    'connect-embed/LICENSE': read('LICENSE'),
  });
}
