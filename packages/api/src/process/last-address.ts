import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, type Config } from '../config.ts';
import { readIfPresent } from '../lib/secret-file.ts';

const addressFile = (dataDir: string) => join(dataDir, 'address');

/**
 * Stores the address of a service beside its embedded database, for the commands that print links. With a database
 * of their own, processes and commands have the same environment.
 */
export function saveAddress({ databaseUrl, dataDir, baseUrl }: Config, port: number): void {
  if (databaseUrl) return;
  writeFileSync(addressFile(dataDir), `${baseUrl.replace(/:0$/, `:${port}`)}\n`);
}

/** Reads the settings of a command. Unless the environment says the address, it is that of the last start. */
export function readCommandConfig(): Config {
  const config = readConfig();
  if (config.isBaseUrlSet || config.databaseUrl) return config;
  return { ...config, baseUrl: readIfPresent(addressFile(config.dataDir)) ?? config.baseUrl };
}
