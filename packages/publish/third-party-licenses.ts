import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

interface LockedPackage {
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  /** For example one package for each platform, of which npm installs one. */
  optionalDependencies?: Record<string, string>;
  /** A workspace; `resolved` is its folder. */
  link?: true;
  resolved?: string;
}
type Lock = Record<string, LockedPackage>;

/** The workspaces whose dependencies are those of all published packages. */
const PUBLISHED = ['packages/cli', 'packages/elements', 'packages/react'];
/** A package for development whose files are copied into the command's package. */
const SWAGGER_UI = 'node_modules/swagger-ui-dist';

/** What is in no lock file, or needs more than a row. */
const INTRODUCTION = `# Third-party licenses

The packages of npm that Connect Embed needs to run, from package-lock.json. npm installs them with their own license files.
The fonts in \`@connect-embed/donor-pages\` and \`connect-embed\` are Noto Sans, under the SIL Open Font License 1.1 (\`giving-page/fonts/OFL.txt\`).

## libvips

\`sharp\` draws and resizes images with libvips, which is under the GNU Lesser General Public License, version 3 or later. The
packages \`@img/sharp-libvips-…\`, one for each platform, contain it unchanged as a shared library, with the libraries that it
uses. Their sources and licenses are at https://github.com/lovell/sharp-libvips, under the tag of the version below. You may
replace the library with your own build: https://sharp.pixelplumbing.com/install#building-from-source. The license is at
https://www.gnu.org/licenses/lgpl-3.0.html, and in \`/usr/share/common-licenses/LGPL-3\` of the container image.
`;

/** Returns the text of THIRD-PARTY-LICENSES.md. */
export function thirdPartyLicenses(): string {
  const lockFile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const { packages: lock } = JSON.parse(lockFile) as { packages: Lock };
  const rows = [...findDependencies(lock, PUBLISHED), SWAGGER_UI].map(
    (path) => `| \`${nameOf(path)}\` | ${lock[path]!.version} | ${lock[path]!.license} |`,
  );
  const texts = findDependencies(lock, ['packages/elements']).flatMap((path) => {
    const text = readLicense(path);
    return text ? [`### ${nameOf(path)} ${lock[path]!.version}\n\n${text}`] : [];
  });
  return `${INTRODUCTION}
## Packages

| Package | Version | License |
| - | - | - |
${[...new Set(rows)].sort().join('\n')}

## Texts for the packages that are compiled into the scripts of a page

${texts.join('\n\n')}
`;
}

const nameOf = (path: string) => path.split('node_modules/').at(-1)!;

/** Returns the direct and indirect dependencies of workspaces, by their paths in the lock file. */
function findDependencies(lock: Lock, workspaces: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    const { dependencies, optionalDependencies } = lock[path]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const target = resolve(lock, path, name);
      if (!target || found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  workspaces.forEach(visit);
  return [...found].filter((path) => path.includes('node_modules/')).sort();
}

/** Finds a package as Node does: in the folder of the package that needs it, then in those above. */
function resolve(lock: Lock, path: string, name: string): string | undefined {
  const nested = `${path}/node_modules/${name}`;
  if (lock[nested]) return nested;
  const parent = /^(.+)\/node_modules\/[^]+$/.exec(path)?.[1];
  if (parent) return resolve(lock, parent, name);
  const item = lock[`node_modules/${name}`];
  return item?.link ? item.resolved : item && `node_modules/${name}`;
}

/** Returns the license of an installed package as a code block, if it has a file with its license. */
function readLicense(path: string): string | undefined {
  const folder = join(ROOT, path);
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (!file) return undefined;
  return `\`\`\`text\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\``;
}
