import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { readFileSync } from 'node:fs';
import { COMPOSE, readText, readYaml, type ComposeFile } from './files.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Environment variables that the API and the server read, from their `--help`. */
const known = new Set(
  ['packages/cli/src/service/main.ts', 'packages/cli/src/server/main.ts'].flatMap((file) => {
    const help = execFileSync(process.execPath, [file, '--help'], { cwd: ROOT, encoding: 'utf8' });
    return [...help.matchAll(/^ {2}([A-Z][A-Z_]+) /gm)].map(([, name]) => name!);
  }),
);

/** Runs create-env.sh in a folder, and returns the text of the file that it writes. */
function createEnv(folder: string): string {
  const script = join(ROOT, 'deploy/create-env.sh');
  execFileSync('sh', [script, 'connect.example.org', 'give.example.org'], { cwd: folder });
  return readFileSync(join(folder, '.env'), 'utf8');
}

describe('deploy/create-env.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connect-env-'));
  const text = createEnv(folder);
  const variables = parseEnv(text);

  test('writes new secrets into a file that only its owner can read', () => {
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600);
    const secrets = ['API_SECRET', 'SESSION_SECRET', 'POSTGRES_PASSWORD', 'METRICS_TOKEN'];
    for (const name of secrets) assert.match(variables[name]!, /^[0-9a-f]{48,}$/, name);
    assert.match(variables['SERVER_API_KEY']!, /^gb_live_[\w-]{43}$/);
    assert.equal(new Set(Object.values(variables)).size, Object.keys(variables).length - 1);
  });

  test('lets every command use Stripe instead of the sandbox', () => {
    assert.equal(variables['NODE_ENV'], 'production');
  });

  test('writes values that are the same with and without quoting rules', () => {
    for (const [, value] of text.matchAll(/^[A-Z_]+=(.*)$/gm)) assert.match(value!, /^[\w:/.-]*$/);
  });

  test('does not change a file that exists', () => {
    assert.throws(() => createEnv(folder), /exists already/);
    assert.equal(readFileSync(join(folder, '.env'), 'utf8'), text);
  });

  test('only names variables of the services and of compose.yaml', () => {
    const names = Object.keys(variables).filter((name) => !known.has(name));
    assert.deepEqual(names, ['POSTGRES_PASSWORD']);
    rmSync(folder, { recursive: true });
  });
});

describe('every variable is one that a service reads', () => {
  test('in compose.yaml, whose proxy reads those of the Caddyfile', () => {
    const { connect, proxy } = readYaml<ComposeFile>(COMPOSE).services;
    for (const name of Object.keys(connect!.environment)) assert.ok(known.has(name), name);
    const used = [...readText('deploy/Caddyfile').matchAll(/\{\$(\w+)/g)].map(([, name]) => name!);
    assert.deepEqual(new Set(Object.keys(proxy!.environment)), new Set(used));
  });

  test('in render.yaml', () => {
    interface Blueprint {
      services: { name: string; envVars: { key: string; fromService?: Source }[] }[];
    }
    interface Source {
      name: string;
      envVarKey: string;
    }
    const { services } = readYaml<Blueprint>('deploy/render.yaml');
    for (const { envVars } of services) {
      for (const { key, fromService } of envVars) {
        assert.ok(known.has(key) || key === 'PORT', key);
        if (!fromService) continue;
        const source = services.find(({ name }) => name === fromService.name);
        assert.ok(source?.envVars.some((variable) => variable.key === fromService.envVarKey));
      }
    }
  });

  test('in the systemd unit', () => {
    const unit = readText('deploy/systemd/connect-embed@.service');
    const settings = [...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list]) =>
      list!.split(' '),
    );
    const names = settings.map((setting) => setting.split('=')[0]!);
    const unknown = names.filter((name) => !known.has(name));
    assert.deepEqual(unknown, ['NODE_COMPILE_CACHE'], 'read by Node itself');
  });
});
