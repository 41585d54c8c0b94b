import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { eventually } from '../../support/eventually.ts';
import { freePorts } from '../../support/free-ports.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { withoutDigests } from './base-images.ts';
import { compose, podman, ROOT } from './engine.ts';

/** An installation of `deploy/compose.yaml` in a folder of its own. */
export interface Installation {
  folder: string;
  /** Public address of the API and the dashboard. */
  api: string;
  /** Public address of the server. */
  server: string;
  sandbox: string;
}

interface ComposeFile {
  services: { connect: object; proxy: object };
}

/**
 * Follows docs/production.md: writes `.env`, and starts the compose file. Only these differ: the proxy's
 * port, names below `localhost`, and the sandbox in place of Stripe.
 */
export async function startInstallation(): Promise<Installation & { stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'connect-'));
  const [port, sandboxPort] = await freePorts(2);
  const sandbox = `http://sandbox.localhost:${sandboxPort}`;
  cpSync(join(ROOT, 'deploy'), folder, { recursive: true });
  adaptCompose(join(folder, 'compose.yaml'), port!);
  const names = [`localhost:${port}`, `give.localhost:${port}`];
  execFileSync('sh', ['create-env.sh', ...names], { cwd: folder });
  const secret = `whsec_${'s'.repeat(32)}`;
  appendFileSync(
    join(folder, '.env'),
    `SANDBOX_URL=${sandbox}\nSANDBOX_WEBHOOK_SECRET=${secret}\n`,
  );
  const installation = {
    folder,
    api: `https://${names[0]}`,
    server: `https://${names[1]}`,
    sandbox,
  };
  await compose(folder, 'up', '-d');
  const stripe = new ServiceProcess('packages/sandbox/src/main.ts', {
    SANDBOX_PORT: String(sandboxPort),
    HOST: '0.0.0.0',
    DATA_DIR: folder,
    SANDBOX_WEBHOOK_URL: '',
    SANDBOX_WEBHOOK_SECRET: secret,
    NODE_EXTRA_CA_CERTS: await saveProxyCertificate(installation),
  });
  const stop = async () => {
    await stripe.stop();
    await compose(folder, 'down', '--volumes');
    rmSync(folder, { recursive: true });
  };
  return { ...installation, stop };
}

function adaptCompose(file: string, port: number): void {
  const composeFile = parse(withoutDigests(readFileSync(file, 'utf8')), {
    merge: true,
  }) as ComposeFile;
  const { connect, proxy } = composeFile.services;
  Object.assign(proxy, { ports: [`127.0.0.1:${port}:${port}`] });
  Object.assign(connect, { extra_hosts: [`sandbox.localhost:${addressOfHost()}`] });
  writeFileSync(file, stringify(composeFile, { aliasDuplicateObjects: false }));
}

/** The address under which containers reach the sandbox. */
function addressOfHost(): string {
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((each) => each && each.family === 'IPv4' && !each.internal)!.address;
}

/** podman-compose names containers after the folder. */
const projectOf = (folder: string) => basename(folder).toLowerCase();

export const containerOf = ({ folder }: Installation, service: string) =>
  `${projectOf(folder)}_${service}_1`;

/** Runs a command in a container, as `docker compose exec` does. */
export const exec = (installation: Installation, service: string, ...command: string[]) =>
  podman('exec', containerOf(installation, service), ...command);

/** Saves the root certificate with which Caddy signs local names, so that the sandbox trusts them. */
async function saveProxyCertificate(installation: Installation): Promise<string> {
  const path = '/data/caddy/pki/authorities/local/root.crt';
  const certificate = await eventually(() => exec(installation, 'proxy', 'cat', path));
  const file = join(installation.folder, 'root.crt');
  writeFileSync(file, certificate);
  return file;
}
