import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKey, createOrganization, API_SECRET } from '../faults/support/initial-data.ts';

/** An organization of the platform, whose form has the same name as its account. */
export interface Organization {
  account: string;
  auditorKey: string;
  /** Its key on the server: a key has 120 requests a minute. */
  serverKey: string;
  id: string;
}

/** Commands at a time. */
const CONCURRENCY = 4;

/** Creates organizations with two API keys each, by commands of the CLI. */
export async function createOrganizations(database: string, count: number) {
  const names = Array.from({ length: count }, (_, index) => `peak${index + 1}`);
  const created: Organization[] = [];
  const createNext = async (): Promise<void> => {
    const name = names.shift();
    if (!name) return;
    const account = `acct_${name}`;
    const id = await createOrganization(database, { name, slug: name, account });
    const keys = [await createKey(database, id), await createKey(database, id)] as const;
    created.push({ account, id, serverKey: keys[0], auditorKey: keys[1] });
    await createNext();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, createNext));
  return created;
}

const ROOT = join(import.meta.dirname, '../..');
/** The most requests in ten seconds of one organization's key by one of two server processes. */
const REQUESTS_OF_PROCESS = 8;

/**
 * Writes the configuration of a server in platform mode, with a form of each organization. Keys of
 * the organizations stand in for their OAuth tokens, which have the same limit of requests.
 *
 * @returns its path
 */
export async function writeServerConfig(
  folder: string,
  organizations: readonly Organization[],
  apiBase: string,
): Promise<string> {
  const form = ({ id, account }: Organization) => [
    account,
    { min_amount_cents: 100, organization: id },
  ];
  const forms = Object.fromEntries(organizations.map(form)) as object;
  const keys = Object.fromEntries(organizations.map(({ id, serverKey }) => [id, serverKey]));
  const address = JSON.stringify(apiBase);
  const path = join(folder, 'peak-load.config.ts');
  await writeFile(
    path,
    `import { Encrypter } from '${ROOT}/server/platform/encrypter.ts';
import withRaisedLimits from '${ROOT}/test/faults/support/forms.config.ts';

const END = 4_000_000_000;
const encrypter = new Encrypter(${JSON.stringify(API_SECRET)}, 'platform tokens');
const keys = ${JSON.stringify(keys)};
const tokenOf = (accessToken) => ({ accessToken, refreshToken: '-', accessExpiresAt: END * 1000 });
export default {
  ...withRaisedLimits,
  limits: {
    ...withRaisedLimits.limits,
    credential: { points: ${REQUESTS_OF_PROCESS}, seconds: 10 },
  },
  forms: ${JSON.stringify(forms)},
  platform: {
    clientId: '-', clientSecret: '-', issuer: ${address}, redirectUri: ${address}, afterUrl: ${address},
    tokens: {
      get: (id) => encrypter.encrypt({ sub: id, ...tokenOf(keys[id]) }, END),
      set: async () => {},
      delete: async () => {},
    },
  },
};
`,
  );
  return path;
}
