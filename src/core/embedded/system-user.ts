import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './not-started.ts';
import { OURSELVES, runProgram, type ServerUser } from './program.ts';

// In a user namespace root appears as nobody, which satisfies PostgreSQL. `exec` keeps the process id.
const NAMESPACE: ServerUser = {
  prefix: [
    'sh',
    '-c',
    'exec unshare -U --map-user="$(id -u nobody)" --map-group="$(id -g nobody)" -- "$@"',
    'sh',
  ],
};
const SYSTEM_USER = 'postgres';

type Owner = NonNullable<ServerUser['owner']>;

interface Surroundings {
  dataDir: string;
  clusterDir: string;
  postgres: string;
  note: (message: string) => void;
}

/** Chooses the user as which PostgreSQL runs, because it refuses to run as root. */
export async function chooseServerUser(surroundings: Surroundings): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return OURSELVES;
  const { clusterDir } = surroundings;
  const cluster = await stat(clusterDir).catch(() => undefined);
  if (cluster !== undefined && cluster.uid !== 0) {
    // A cluster created by another user stays theirs, so that they can keep using it.
    const owner = { uid: cluster.uid, gid: cluster.gid };
    const direct = { prefix: [], owner };
    return (await canRun(direct, surroundings)) ? direct : withDirectoryAccess(owner);
  }
  if (await canRun(NAMESPACE, surroundings)) return NAMESPACE;

  const user = await systemUser(surroundings);
  if (cluster !== undefined && user.owner !== undefined) {
    await runProgram(OURSELVES, 'chown', ['-R', `${user.owner.uid}:${user.owner.gid}`, clusterDir]);
  }
  return user;
}

/** True when this user can reach both the binaries and the data, which may lie below somebody's private home. */
async function canRun(user: ServerUser, { dataDir, postgres }: Surroundings): Promise<boolean> {
  const probe = ['-c', 'cd "$1" && test -x "$2" && exec "$2" --version', 'sh', dataDir, postgres];
  return runProgram(user, 'sh', probe).then(
    () => true,
    () => false,
  );
}

async function systemUser(surroundings: Surroundings): Promise<ServerUser> {
  const owner = (await lookUp(SYSTEM_USER)) ?? (await addSystemUser(surroundings.note));
  for (const user of [{ prefix: [], owner }, withDirectoryAccess(owner)]) {
    if (await canRun(user, surroundings)) return user;
  }
  throw cannotRunAsRoot(
    `and the user "${SYSTEM_USER}" cannot reach ${surroundings.dataDir} and ${surroundings.postgres}`,
  );
}

// Lets another user traverse a private directory, such as root's home. no_setuid_fixup keeps the capability
// effective for access(2) too.
function withDirectoryAccess({ uid, gid }: Owner): ServerUser {
  const capability = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability, '--'];
  return { prefix, owner: { uid, gid } };
}

async function addSystemUser(note: Surroundings['note']): Promise<Owner> {
  note(`PostgreSQL does not run as root: adding the system user "${SYSTEM_USER}" for it.`);
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  try {
    await runProgram(OURSELVES, 'useradd', [...options, SYSTEM_USER]);
  } catch (cause) {
    throw cannotRunAsRoot(`and the system user "${SYSTEM_USER}" could not be added`, cause);
  }
  const added = await lookUp(SYSTEM_USER);
  return added ?? Promise.reject(cannotRunAsRoot(`and the system user "${SYSTEM_USER}" is not known`));
}

async function lookUp(name: string): Promise<Owner | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map((kind) => runProgram(OURSELVES, 'id', [kind, name])),
    );
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

function cannotRunAsRoot(reason: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `PostgreSQL does not run as root, user namespaces are not available here, ${reason}. ` +
      'Start Waypost as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    { cause },
  );
}
