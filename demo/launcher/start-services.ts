import { join } from 'node:path';
import { ensureBundle } from './bundle.ts';
import type { LauncherConfig, ServiceName } from './config.ts';
import { loadOrCreateCredential, readSavedKey } from './credential.ts';
import { serviceAddresses, planServices } from './service-plans.ts';
import { startService, type Service, type ServicePlan } from './service-process.ts';
import { loadOrCreateSecrets, writePrivateFile } from './secrets.ts';

interface StartOptions {
  signal: AbortSignal;
  onLine: (service: ServiceName, line: string) => void;
  onUnexpectedExit: (error: Error) => void;
  printLine: (line: string) => void;
}

/** The line with which the API prints a link on an empty database. */
const SETUP_LINE = /^Set up Connect within an hour: (\S+)$/;

/** The services that `startServices` has started. */
interface RunningSystem {
  /**
   * Rebuilds the bundle if its sources changed, then restarts these services so that they load the
   * changed source files.
   */
  restart: (names: ServiceName[]) => Promise<void>;
  /** Returns the link that the API has printed on an empty database. */
  setupLink: () => string | undefined;
}

/**
 * Starts every service once the services that it needs are listening.
 *
 * @param services map to which each started service is added, even if a later service fails to
 * start
 */
export async function startServices(
  config: LauncherConfig,
  services: Map<ServiceName, Service>,
  options: StartOptions,
): Promise<RunningSystem> {
  const { signal, printLine } = options;
  const demoFilePath = join(config.dataDir, 'demo.json');
  const stored = loadOrCreateSecrets(config.dataDir);
  const secrets = { ...stored, serverKey: readSavedKey(demoFilePath) ?? stored.serverKey };
  const { sandbox, api, demo, createBffPlan } = planServices(config, secrets);
  const { site, server, api: apiUrl } = serviceAddresses(config);
  const apiBase = `${apiUrl}/api/v1`;
  let setupLink: string | undefined;
  const onLine: StartOptions['onLine'] = (service, line) => {
    const link = SETUP_LINE.exec(line)?.[1];
    // The summary prints the first link. A restart of the API prints another one.
    if (link && !setupLink) setupLink = link;
    else options.onLine(service, line);
  };
  const { launch, restart } = createLauncher(services, { ...options, onLine });

  const started = Promise.all([
    ...(config.usesStripe ? [] : [launch(sandbox)]),
    launch(api),
    launch(demo),
  ]);
  await Promise.all([ensureBundle(signal, printLine), started]);
  const credential = config.isEmpty
    ? { api_key: secrets.serverKey, organization_id: '' }
    : await loadOrCreateCredential({ apiBase, apiKey: secrets.serverKey, env: api.env, signal });
  await launch(createBffPlan(credential.api_key));
  writePrivateFile(demoFilePath, { site, server, api_base: apiBase, ...credential });
  return { restart, setupLink: () => setupLink };
}

/** Launches services, and restarts them with the plans that they were launched with. */
function createLauncher(services: Map<ServiceName, Service>, options: StartOptions) {
  const { signal, printLine } = options;
  const plans = new Map<ServiceName, ServicePlan>();

  const launch = async (plan: ServicePlan) => {
    signal.throwIfAborted();
    plans.set(plan.name, plan);
    const { service, listening } = startService(plan, options);
    services.set(plan.name, service);
    await listening;
  };

  const restart = async (names: ServiceName[]) => {
    await ensureBundle(signal, printLine);
    for (const name of names) {
      const plan = plans.get(name);
      if (!plan) continue;
      await services.get(name)?.stop();
      await launch(plan);
      printLine(`Restarted ${name}.`);
    }
  };
  return { launch, restart };
}
