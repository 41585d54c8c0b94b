import { createServer } from 'node:net';
import { PORT_VARIABLES, type LauncherConfig, type ServiceName } from './config.ts';

/**
 * Loopback addresses to check. Browsers also try ::1 for `localhost`, so another program on ::1
 * would receive our requests.
 */
const LOOPBACKS = ['127.0.0.1', '::1'];

/**
 * Checks that the configured port of every service is free, and chooses a free port for each
 * service whose port is 0.
 *
 * @throws {Error} with one line for each port that is in use or that browsers block, naming its
 * variable
 */
export async function resolvePorts({
  ports,
  host,
  usesStripe,
}: LauncherConfig): Promise<Record<ServiceName, number>> {
  const resolved = { ...ports };
  const problems: string[] = [];
  for (const service of Object.keys(ports) as ServiceName[]) {
    if (usesStripe && service === 'sandbox') continue;
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
 * Range of the chosen ports. It lies below the ephemeral ports, because the operating system could
 * assign a free ephemeral port to another program before the service starts.
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
 * `fetch` avoids keeping our own copy of the list of blocked ports. Nothing listens on the port
 * yet, so for every other port the connection is refused.
 */
const isBlockedByBrowsers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    (error: Error) => (error.cause as Error | undefined)?.message === 'bad port',
  );

/**
 * Checks that a port is free on every host, by listening on it for a moment.
 *
 * @returns the port; undefined if it is in use
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

      // This machine cannot listen on the host: it has no IPv6, or HOST is a name.
      else resolve('no such address');
    });
    probe.listen({ port, host, ipv6Only: true }, () => probe.close(() => resolve('free')));
  });
}
