import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError } from './version.ts';

/** An image of a registry, such as `node:24-slim`, with the digest that the last release wrote. */
const IMAGE =
  /^(FROM |\s+image: )((?!connect-embed:)[\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?(?=\s)/gm;
/** An action of GitHub, such as `actions/checkout@v4`, or the commit and the tag that the last release wrote. */
const ACTION = /(uses: )([\w-]+\/[\w-]+)@(?:[0-9a-f]{40} # )?(v\d+)$/gm;

/**
 * Writes the digests that the tags of container images and actions have now into the files that use them,
 * so that everybody who builds the release gets the same. The tag stays beside the digest, for the next
 * release and for people.
 *
 * @throws {ReleaseError} if a digest cannot be read
 */
export function pinDigests(root: string): void {
  for (const file of globSync(['deploy/Dockerfile', 'deploy/compose.yaml'], { cwd: root })) {
    replaceIn(join(root, file), IMAGE, (_, before, image) => `${before}${image}@${digest(image)}`);
  }
  for (const file of globSync('.github/workflows/*.yml', { cwd: root })) {
    replaceIn(
      join(root, file),
      ACTION,
      (_, before, action, tag) => `${before}${action}@${commit(action, tag!)} # ${tag}`,
    );
  }
}

function replaceIn(
  file: string,
  pattern: RegExp,
  replace: (match: string, before: string, name: string, tag?: string) => string,
) {
  writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, replace));
}

/** Needs no running Docker. The digest is that of the index, which lists the image of each platform. */
function digest(image: string): string {
  const args = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  return read('docker', args, /^sha256:[0-9a-f]{64}$/m);
}

/** The last line is the commit, also of an annotated tag, which has an object of its own. */
function commit(action: string, tag: string): string {
  const refs = [`refs/tags/${tag}`, `refs/tags/${tag}^{}`];
  const args = ['ls-remote', `https://github.com/${action}`, ...refs];
  return read('git', args, /[0-9a-f]{40}(?=\t\S+\s*$)/);
}

function read(program: string, args: string[], pattern: RegExp): string {
  const command = [program, ...args].join(' ');
  try {
    const [found] = pattern.exec(execFileSync(program, args, { encoding: 'utf8' })) ?? [];
    if (found) return found;
  } catch (cause) {
    throw new ReleaseError(
      `A digest could not be read: ${command}. It needs Docker’s buildx, Git and the registries.`,
      { cause },
    );
  }
  throw new ReleaseError(`A digest could not be read: ${command} printed none.`);
}
