import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { findProgram } from '../support/find-program.ts';
import { readText } from './files.ts';

const UNIT = 'deploy/systemd/connect-embed@.service';
const folder = mkdtempSync(join(tmpdir(), 'connect-deploy-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs an installed program, and returns everything that it prints. */
const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  execFileSync('sh', ['-c', 'exec "$0" "$@" 2>&1', program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

/** A skipped test names the program that is missing. */
const withProgram = (name: string) => {
  const program = findProgram(name);
  return { program: program ?? '', skip: program ? false : `${name} is not installed` };
};

describe('deploy/Caddyfile', () => {
  const { program, skip } = withProgram('caddy');
  const env = {
    API_BASE_URL: 'https://connect.example.org',
    SERVER_BASE_URL: 'https://give.example.org',
  };

  test('is valid and formatted', { skip }, () => {
    const args = ['--adapter', 'caddyfile', '--config', 'deploy/Caddyfile'];
    assert.match(run(program, ['validate', ...args], env), /Valid configuration/);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, readText('deploy/Caddyfile'));
    run(program, ['fmt', '--overwrite', file]);
    assert.equal(run('cat', [file]), readText('deploy/Caddyfile'));
  });
});

describe('the systemd unit', () => {
  const { program, skip } = withProgram('systemd-analyze');

  const strace = withProgram('strace');

  /** Returns the system calls of a set of systemd, which may contain sets, such as `@default`. */
  const expandFilter = (name: string): string[] =>
    name.startsWith('@')
      ? run(program, ['syscall-filter', name, '--no-pager'])
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
          .filter((line) => /^[@a-z]/.test(line))
          .flatMap(expandFilter)
      : [name];

  /** Highest exposure that `systemd-analyze security` may compute, from 0 (none) to 10. */
  const MAX_EXPOSURE = 2;

  test('is valid', { skip }, () => {
    // The program of the unit does not exist on this machine.
    const unit = readText(UNIT).replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
    const file = join(folder, 'connect-embed@.service');
    writeFileSync(file, unit);
    run(program, ['verify', '--man=no', join(folder, 'connect-embed@all.service')]);
  });

  test('allows every system call of the command', { skip: skip || strace.skip }, () => {
    const calls = join(folder, 'calls');
    // The Node of the machine, too: which calls Node makes depends on its version.
    const command = `"${process.execPath}" packages/cli/src/main.ts serve --help; /usr/bin/node -e 0 || true`;
    run(strace.program, ['-f', '-o', calls, 'sh', '-c', command]);
    const made = [...readFileSync(calls, 'utf8').matchAll(/^\d+ +([a-z]\w+)\(/gm)];
    assert.ok(made.length > 0, 'no system call was recorded');
    const allowed = new Set<string>();
    for (const [, isDenied, filter] of readText(UNIT).matchAll(/^SystemCallFilter=(~?)(.+)$/gm))
      for (const call of filter!.split(' ').flatMap(expandFilter))
        allowed[isDenied ? 'delete' : 'add'](call);
    const missing = made.map(([, call]) => call!).filter((call) => !allowed.has(call));
    assert.deepEqual(new Set(missing), new Set());
  });

  test('leaves the process next to nothing that it could damage', { skip }, () => {
    const file = join(folder, 'hardened.service');
    writeFileSync(file, readText(UNIT));
    const report = run(program, ['security', '--offline=true', '--no-pager', file]);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
    assert.ok(Number(exposure) <= MAX_EXPOSURE, report);
  });
});

describe('monitoring', () => {
  const { program, skip } = withProgram('promtool');

  test('deploy/alerts.yaml is valid', { skip }, () => {
    assert.match(run(program, ['check', 'rules', 'deploy/alerts.yaml']), /SUCCESS/);
  });

  test('every query of the dashboard is valid', { skip }, () => {
    const { panels } = JSON.parse(readText('deploy/grafana-dashboard.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    // Grafana replaces its variables before Prometheus reads a query.
    const rules = queries.map((query, index) => ({
      record: `query_${index}`,
      expr: query.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'connect'),
    }));
    const file = join(folder, 'queries.yaml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    assert.match(run(program, ['check', 'rules', file]), new RegExp(`${queries.length} rules`));
  });
});

describe('the nginx block of docs/operations.md', () => {
  const nginx = withProgram('nginx');
  const openssl = withProgram('openssl');

  test(
    'passes a request with its host and the address of the client',
    {
      skip: nginx.skip || openssl.skip,
    },
    async () => {
      const upstream = createServer((request, response) => {
        const { host, 'x-forwarded-for': client } = request.headers;
        response.end(JSON.stringify({ host, client }));
      }).listen(0, '127.0.0.1');
      await once(upstream, 'listening');
      const { port: upstreamPort } = upstream.address() as AddressInfo;
      const [port] = await freePorts(1);
      const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
      const files = ['-keyout', key, '-out', certificate, '-subj', '/CN=api.example.org'];
      run(openssl.program, [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '1',
        ...files,
      ]);
      const [, block] = /```nginx\n([\s\S]*?)```/.exec(readText('docs/operations.md'))!;
      const server = block!
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace(/\/etc\/ssl\/\S+\.pem/, certificate)
        .replace(/\/etc\/ssl\/\S+\.key/, key)
        .replace('127.0.0.1:4000', `127.0.0.1:${upstreamPort}`);
      const configuration = join(folder, 'nginx.conf');
      writeFileSync(
        configuration,
        `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
       events {} http { access_log off; ${server} }`,
      );
      const proxy = spawn(nginx.program, ['-c', configuration], { stdio: 'ignore' });
      try {
        const output = await eventually(() => getThrough(port!));
        assert.deepEqual(JSON.parse(output), { host: 'api.example.org', client: '127.0.0.1' });
      } finally {
        proxy.kill();
        upstream.close();
      }
    },
  );
});

/** Requests a page of the proxy as another client, who pretends to have another address. */
const getThrough = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const headers = { host: 'api.example.org', 'x-forwarded-for': '203.0.113.9' };
    const options = { host: '127.0.0.1', port, headers, rejectUnauthorized: false };
    get({ ...options, servername: headers.host }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
