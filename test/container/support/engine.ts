import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const ROOT = join(import.meta.dirname, '../../..');

/** Images of earlier runs, apart from those of the machine. Layers that have not changed are used again. */
const STORAGE = join(ROOT, 'node_modules/.cache/containers');
const STORAGE_OPTIONS = ['--root', join(STORAGE, 'images'), '--runroot', join(STORAGE, 'run')];

/** `crun` does not support all cgroups of a virtual machine, and limits must not exceed those of the test. */
const CONTAINERS_CONF = `[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
`;

/**
 * Podman for podman-compose. Docker mounts nothing on a read-only root by itself, so Podman must
 * not either.
 */
const WRAPPER = `#!/bin/sh
command=$1
shift
[ "$command" = run ] && set -- --read-only-tmpfs=false "$@"
exec podman ${STORAGE_OPTIONS.join(' ')} "$command" "$@"
`;

mkdirSync(STORAGE, { recursive: true });
const configuration = join(STORAGE, 'containers.conf');
writeFileSync(configuration, CONTAINERS_CONF);
const wrapper = join(STORAGE, 'podman');
writeFileSync(wrapper, WRAPPER);
chmodSync(wrapper, 0o755);

const env = { ...process.env, CONTAINERS_CONF: configuration };

/** Runs a program, and returns its output. An error contains all that the program has printed. */
async function run(program: string, args: readonly string[], cwd = ROOT): Promise<string> {
  const options = { cwd, env, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    const output = `${stdout}\n${stderr}`.slice(-4000);
    throw new Error(`${program} ${args.join(' ')} failed:\n${output}`, { cause: error });
  });
  return stdout;
}

export const podman = (...args: string[]) => run('podman', [...STORAGE_OPTIONS, ...args]);

/** Runs podman-compose in the folder of a compose file. */
export const compose = (folder: string, ...args: string[]) =>
  run('podman-compose', ['--podman-path', wrapper, ...args], folder);

/** Builds an image without a container runtime. */
export const build = (tag: string, file: string, context: string) =>
  run('buildah', [
    ...STORAGE_OPTIONS,
    ...['build', '--isolation', 'chroot', '--network', 'host', '--layers'],
    ...['--format', 'docker', '--tag', tag, '--file', file, context],
  ]);

/** Creates the root file system of a minimal Debian, and imports it as an image. */
export async function importDebian(name: string): Promise<void> {
  const archive = join(STORAGE, 'debian.tar');
  await run('mmdebstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', archive]);
  await podman('import', archive, name);
}
