import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { COMPOSE, readText, readYaml, type ComposeFile } from './files.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readText('docs/production.md');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text!);
const lines = blocks.flatMap((block) => block.trim().split('\n'));

const matchesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, match]) => match!);
/** Everything that matches in the commands and in the text of the page. */
const named = (pattern: RegExp) => matchesIn(page, pattern);

describe('docs/production.md', () => {
  test('copies a clone of the repository to the machine, and each later version again', () => {
    const folder = mkdtempSync(join(tmpdir(), 'connect-clone-'));
    const [source, machine] = [join(folder, 'source'), join(folder, 'machine')];
    const programs = join(folder, 'bin');
    for (const path of [source, machine, programs]) mkdirSync(path);
    writeFileSync(join(programs, 'scp'), `#!/bin/sh\ncp "$1" '${machine}'\n`, { mode: 0o755 });
    writeFileSync(join(programs, 'apt-get'), '#!/bin/sh\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
    const run = (cwd: string, script: string) =>
      execFileSync('sh', ['-euc', script], { cwd, env, stdio: 'ignore' });
    const blockWith = (text: string) => blocks.find((block) => block.includes(text))!;
    const commit = 'git add . && git -c user.name=test -c user.email=test@test.example commit -m .';
    cpSync(join(ROOT, 'deploy'), join(source, 'deploy'), { recursive: true });
    run(source, `git init --initial-branch=main && ${commit}\n${blockWith('git bundle')}`);
    run(machine, blockWith('git clone'));
    const deploy = join(machine, 'connect-embed/deploy');
    assert.ok(existsSync(join(deploy, '.env')));

    run(source, `echo 2 > version && ${commit}\n${blockWith('git bundle')}`);
    const [pull = ''] = blockWith('git pull').split('\n');
    run(deploy, pull);
    assert.equal(readFileSync(join(machine, 'connect-embed/version'), 'utf8'), '2\n');
    rmSync(folder, { recursive: true });
  });

  test('names services of compose.yaml', () => {
    const services = Object.keys(readYaml<ComposeFile>(COMPOSE).services);
    const used = lines.flatMap((line) => {
      const [, rest] =
        /^docker compose (?:exec(?: -T)?|stop|start|logs --since 1h) (.+)/.exec(line) ?? [];
      return rest ? [rest.split(' ')[0]!] : [];
    });
    assert.ok(used.length > 5);
    for (const name of used) assert.ok(services.includes(name), name);
  });

  test('names commands of connect-embed', () => {
    const used = new Set(
      named(/connect-embed (?:--env-file \S+ )?(?!connect-embed)([a-z][a-z-]+)\b/g),
    );
    assert.ok(used.has('doctor') && used.has('setup-link') && used.has('serve'));
    for (const command of used) {
      const main = join(ROOT, 'packages/cli/src/main.ts');
      const help = execFileSync(process.execPath, [main, command, '--help'], { encoding: 'utf8' });
      assert.match(help, new RegExp(`^Usage: connect-embed ${command}`));
    }
  });

  test('names files of the repository', () => {
    const files = named(/\b(deploy\/[\w./@-]*\w)/g);
    assert.ok(files.length > 3);
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), file);
  });

  test('names targets of the unit that its roles allow', () => {
    const roles = named(/connect-embed@([a-z]+)(?!\.service)\b/g);
    assert.deepEqual(new Set(roles), new Set(['all', 'api', 'worker', 'server']));
  });
});

describe('deploy/Dockerfile', () => {
  const dockerfile = readText('deploy/Dockerfile');

  test('copies files and runs scripts of the repository', () => {
    const copied = matchesIn(dockerfile, /^COPY (?!--)(\S+)/gm);
    assert.ok(copied.length > 1);
    for (const path of copied) assert.ok(existsSync(join(ROOT, path)), path);
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: object };
    const run = matchesIn(dockerfile, /npm run ([\w:]+)/g);
    assert.ok(run.includes('build'));
    for (const name of run) assert.ok(name in scripts, name);
  });

  test('runs no install scripts of packages', () => {
    for (const file of ['deploy/Dockerfile', 'deploy/install.sh']) {
      const commands = matchesIn(readText(file), /(npm (?:ci|install)\b.*)/g);
      assert.ok(commands.length > 0, file);
      for (const command of commands) assert.match(command, /--ignore-scripts/, file);
    }
  });

  test('runs without a shell, and not as root', () => {
    const commands = matchesIn(dockerfile, /^(?:HEALTHCHECK .*)?CMD (.+)$/gm);
    assert.equal(commands.length, 2);
    for (const command of commands) assert.ok(Array.isArray(JSON.parse(command)), command);
    assert.match(dockerfile, /^USER node$/m);
  });
});
