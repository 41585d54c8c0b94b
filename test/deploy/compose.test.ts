import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv, type AnySchemaObject } from 'ajv';
import { VERSION } from '../support/version.ts';
import { COMPOSE, readText, readYaml, type ComposeFile } from './files.ts';

const compose = readYaml<ComposeFile>(COMPOSE);

/** Finds mistakes in a compose file with the schema of the Compose specification. */
function findMistakes(file: unknown) {
  const { $schema, ...schema } = JSON.parse(
    readText('test/deploy/compose-spec/compose-spec.json'),
  ) as AnySchemaObject;
  assert.match(String($schema), /draft-07/, 'Ajv’s default dialect');
  // The schema has formats and keywords of Docker, which say nothing about validity.
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  void validate(file);
  return validate.errors ?? [];
}

describe('deploy/compose.yaml', () => {
  test('follows the Compose specification', () => {
    assert.deepEqual(findMistakes(compose), []);
  });

  test('the schema finds a misspelled field', () => {
    const broken = structuredClone(compose) as ComposeFile & { services: { proxy: object } };
    Object.assign(broken.services.proxy, { memory_limit: '1g' });
    assert.equal(findMistakes(broken)[0]?.instancePath, '/services/proxy');
  });

  for (const [name, service] of Object.entries(compose.services)) {
    test(`${name} has no privileges, limits of resources, and a read-only root`, () => {
      assert.equal(service.read_only, true);
      assert.deepEqual(service.cap_drop, ['ALL']);
      assert.deepEqual(service.security_opt, ['no-new-privileges:true']);
      assert.ok(service.mem_limit);
      const added = name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined;
      assert.deepEqual(service.cap_add, added);
    });
  }

  test('only the proxy can be reached from outside', () => {
    const open = Object.keys(compose.services).filter((name) => compose.services[name]!.ports);
    assert.deepEqual(open, ['proxy']);
  });

  test('names the release that the command has', () => {
    assert.equal(compose.services['connect']!.image, `connect-embed:${VERSION}`);
  });
});
