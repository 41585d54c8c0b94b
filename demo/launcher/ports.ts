import { createServer } from 'node:net';
import { PORT_VARIABLES, type LauncherConfig, type ServiceName } from './config.ts';

/** Browsers try ::1 for `localhost` too: whoever listens there would be taken for us. */
const LOOPBACKS = ['127.0.0.1', '::1'];

/**
 * Makes sure that every room will get its port, and chooses one for those that take any.
 *
 * @throws {Error} with a line for each port that is taken, naming its variable
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
 * Systems hand out the ports above these by themselves, to whoever connects anywhere: one that is free
 * now may be somebody's when its room is started, seconds later.
 */
const PORT_RANGE = { from: 12_000, to: 32_000 };

async function choosePort(hosts: string[], reserved: number[]): Promise<number> {
  for (;;) {
    const port = PORT_RANGE.from + Math.floor(Math.random() * (PORT_RANGE.to - PORT_RANGE.from));
    if (!reserved.includes(port) && (await findFreePort(port, hosts))) return port;
  }
}

/**
 * Whether `fetch` refuses the port, as every browser does (Fetch Standard: port blocking). Asking
 * `fetch` itself saves a copy of the list. Nobody listens on the port yet, so every other port fails
 * with a refused connection.
 */
const isBlockedByBrowsers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => false,
    (error: Error) => (error.cause as Error | undefined)?.message === 'bad port',
  );

/** Opens the port on every host in turn and closes it again. @returns undefined when it is taken */
async function findFreePort(port: number, hosts: string[]): Promise<number | undefined> {
  for (const host of hosts) if ((await tryListen(port, host)) === 'taken') return undefined;
  return port;
}

function tryListen(port: number, host: string): Promise<'free' | 'taken' | 'no such address'> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve('taken');
      else if (error.code === 'EACCES') reject(new Error(`Port ${port} is not ours to open.`));
      else resolve('no such address'); // A machine without IPv6, or a name for HOST.
    });
    probe.listen({ port, host, ipv6Only: true }, () => probe.close(() => resolve('free')));
  });
}
