import { join } from 'node:path';
import { ensureBundle } from './bundle.ts';
import type { LauncherConfig, ServiceName } from './config.ts';
import { loadOrCreateCredential, readSavedKey } from './credential.ts';
import { serviceAddresses, planServices } from './service-plans.ts';
import { startService, type Service, type ServicePlan } from './service-process.ts';
import { loadOrCreateSecrets, writePrivateFile } from './secrets.ts';

interface StartEvents {
  signal: AbortSignal;
  onLine: (service: ServiceName, line: string) => void;
  onUnexpectedExit: (error: Error) => void;
  printLine: (line: string) => void;
}

/** The running services. */
export interface RunningSystem {
  /** Stops these services and starts them with the current files. */
  restart: (names: ServiceName[]) => Promise<void>;
}

/**
 * Starts every service once the services that it needs are listening.
 *
 * @param services receives each started service, also if a later one fails
 */
export async function startServices(
  config: LauncherConfig,
  services: Map<ServiceName, Service>,
  events: StartEvents,
): Promise<RunningSystem> {
  const { signal, printLine } = events;
  const { sandbox, api, demo, planServer } = planServices(
    config,
    loadOrCreateSecrets(config.dataDir),
  );
  const { site, server, api: apiUrl } = serviceAddresses(config);
  const apiBase = `${apiUrl}/api/v1`;
  const file = join(config.dataDir, 'demo.json');
  const savedKey = readSavedKey(file);
  const plans = new Map<ServiceName, ServicePlan>();
  const open = async (plan: ServicePlan) => {
    signal.throwIfAborted();
    plans.set(plan.name, plan);
    const { service, listening } = startService(plan, events);
    services.set(plan.name, service);
    await listening;
  };

  const started = Promise.all([...(config.stripe ? [] : [open(sandbox)]), open(api), open(demo)]);
  await Promise.all([ensureBundle(signal, printLine), started]);
  const key = await loadOrCreateCredential({ apiBase, savedKey, env: api.env, signal });
  await open(planServer(key.api_key));
  writePrivateFile(file, { site, server, api_base: apiBase, ...key });

  const restart = async (names: ServiceName[]) => {
    await ensureBundle(signal, printLine);
    for (const name of names) {
      const plan = plans.get(name);
      if (!plan) continue;
      await services.get(name)?.stop();
      await open(plan);
      printLine(`Restarted ${name}.`);
    }
  };
  return { restart };
}
