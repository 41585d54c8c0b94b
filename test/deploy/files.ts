import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');

export const readText = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** What these tests read of a service in `deploy/compose.yaml`. */
interface ComposeService {
  image: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  ports?: string[];
  environment: Record<string, string>;
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
}

export const COMPOSE = 'deploy/compose.yaml';

/** Parses a YAML file as Compose does: with merge keys (`<<`). */
export const readYaml = <T>(file: string): T => parse(readText(file), { merge: true }) as T;
