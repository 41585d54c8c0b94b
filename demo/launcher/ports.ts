import { createServer } from 'node:net';
import { PORT_VARIABLES, type LauncherConfig, type ServiceName } from './config.ts';

/** Browsers try ::1 for `localhost` too, so another program on ::1 would receive our requests. */
const LOOPBACKS = ['127.0.0.1', '::1'];

/**
 * Checks that the port of every service of `npm start` is free, and chooses one where any is
 * allowed.
 *
 * @throws {Error} with a line for each port in use, naming its variable
 */
export async function resolvePorts({
  ports,
  host,
  stripe,
}: LauncherConfig): Promise<Record<ServiceName, number>> {
  const resolved = { ...ports };
  const problems: string[] = [];
  for (const service of Object.keys(ports) as ServiceName[]) {
    if (stripe && service === 'sandbox') continue;
    const hosts = [...new Set([host, ...LOOPBACKS])];
    const port = ports[service]
      ? await findFreePort(ports[service], hosts)
      : await choosePort(hosts, Object.values(resolved));
    if (!port) {
      problems.push(`Port ${ports[service]} is taken. Set ${PORT_VARIABLES[service]} to another.`);
    } else if (await isBlockedByBrowsers(port)) {
      problems.push(`Browsers refuse port ${port}. Set ${PORT_VARIABLES[service]} to another.`);
    } else resolved[service] = port;
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return resolved;
}

/**
 * Below the ephemeral ports, which the operating system assigns by itself: a free one could be
 * taken before its service starts.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

async function choosePort(hosts: string[], reserved: number[]): Promise<number> {
  for (;;) {
    const port = PORT_RANGE.from + Math.floor(Math.random() * (PORT_RANGE.to - PORT_RANGE.from));
    if (!reserved.includes(port) && (await findFreePort(port, hosts))) return port;
  }
}

/**
 * Whether `fetch` blocks the port, as every browser does (Fetch Standard: port blocking). Calling
 * `fetch` saves a copy of the list. Nothing listens on the port yet, so for every other port the
 * connection is refused.
 */
const isBlockedByBrowsers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    (error: Error) => (error.cause as Error | undefined)?.message === 'bad port',
  );

/**
 * Opens the port on every host in turn and closes it again.
 *
 * @returns undefined if it is in use
 */
async function findFreePort(port: number, hosts: string[]): Promise<number | undefined> {
  for (const host of hosts) if ((await tryListen(port, host)) === 'taken') return undefined;
  return port;
}

function tryListen(port: number, host: string): Promise<'free' | 'taken' | 'no such address'> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else if (error.code === 'EACCES')
        reject(new Error(`Permission denied for port ${port}. Choose one above 1023.`));
      else resolve('no such address'); // The host does not exist here: IPv6 is missing, or HOST is a name.
    });
    probe.listen({ port, host, ipv6Only: true }, () => probe.close(() => resolve('free')));
  });
}
