import { watch } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type ServiceName } from './config.ts';

/**
 * Delay between the last file change and the restart, because editors save a file in several steps.
 */
const DEBOUNCE_MS = 150;

/** The services that depend on each folder. The BFF serves the elements' script. */
const SERVICES_BY_FOLDER: [folder: string, ...services: ServiceName[]][] = [
  ['packages/locales', 'api', 'server'],
  ['packages/contract/src', 'api', 'server'],
  ['packages/elements/src', 'server'],
  ['packages/sandbox/src', 'sandbox'],
  ['packages/api/src', 'api'],
  ['packages/cli/src/service', 'api'],
  ['packages/dashboard/src', 'api'],
  ['packages/donor-pages/src', 'api'],
  ['server', 'server'],
  ['demo', 'demo', 'server'],
];

/** Calls `onChange` with the services that must restart because their files have changed. */
export function watchSources(
  signal: AbortSignal,
  onChange: (services: ServiceName[]) => Promise<unknown>,
) {
  const changed = new Set<ServiceName>();
  let timer: NodeJS.Timeout | undefined;
  let pending: Promise<unknown> = Promise.resolve();
  const flush = () => {
    const services = [...changed];
    changed.clear();
    pending = pending.then(() => onChange(services));
  };
  for (const [folder, ...services] of SERVICES_BY_FOLDER) {
    watch(join(ROOT, folder), { recursive: true, signal }, (_event, file) => {
      if (!file || /node_modules|\.test\.ts$|\.timestamp-/.test(file)) return;
      for (const service of services) changed.add(service);
      clearTimeout(timer);
      timer = setTimeout(flush, DEBOUNCE_MS);
    });
  }
}
