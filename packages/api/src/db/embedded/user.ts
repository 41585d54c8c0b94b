import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** The user that runs PostgreSQL's processes; an empty object for the current user. */
export type RunAs = { uid: number; gid: number } | Record<string, never>;

const SYSTEM_USER = 'postgres';

/** Commands that create a system user, from the packages shadow, Debian's adduser and BusyBox. */
const CREATE_USER_COMMANDS: readonly (readonly [string, ...string[]])[] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/bin/false', SYSTEM_USER],
  ['adduser', '--system', '--group', '--no-create-home', '--disabled-login', SYSTEM_USER],
  ['adduser', '-S', '-D', '-H', '-s', '/bin/false', SYSTEM_USER],
];

/**
 * Chooses the user that runs PostgreSQL, because PostgreSQL refuses to run as root.
 *
 * If the current user is root, the owner of existing data is chosen, so that the data of an ordinary
 * user keeps its owner. Without data the system user `postgres` is chosen, and created if missing.
 *
 * @param dataFolder the cluster's folder, which may not exist yet
 * @throws {Error} if the data belongs to another user, or no system user can be created
 */
export function chooseUser(dataFolder: string): RunAs {
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  const currentUid = process.getuid?.();
  if (currentUid !== 0) {
    if (!owner || owner.uid === currentUid) return {};
    throw new Error(
      `${dataFolder} belongs to another user (uid ${owner.uid}). Start as root or as that user.`,
    );
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return findSystemUser() ?? createSystemUser();
}

function findSystemUser(): RunAs | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, SYSTEM_USER], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

function createSystemUser(): RunAs {
  for (const [command, ...args] of CREATE_USER_COMMANDS) {
    try {
      execFileSync(command, args, { stdio: 'ignore' });
    } catch {
      continue; // The command is not installed, or is a variant with other options.
    }
    const user = findSystemUser();
    if (user) return user;
  }
  throw new Error(
    `PostgreSQL cannot run as root, this machine has no user "${SYSTEM_USER}", and neither ` +
      'useradd nor adduser could create one. Start as a user other than root, or set DATABASE_URL.',
  );
}
