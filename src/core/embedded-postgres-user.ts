import { stat } from 'node:fs/promises';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { OURSELVES, run, type ServerUser } from './embedded-postgres-program.ts';

// In a user namespace root appears as nobody, which satisfies PostgreSQL, while every file stays root's.
// `exec` keeps the process id, so that the pid file and our child agree.
const NAMESPACE: ServerUser = {
  prefix: [
    'sh',
    '-c',
    'exec unshare -U --map-user="$(id -u nobody)" --map-group="$(id -g nobody)" -- "$@"',
    'sh',
  ],
};
const SYSTEM_USER = 'postgres';

interface Surroundings {
  dataDir: string;
  clusterDir: string;
  postgres: string;
  note: (message: string) => void;
}

/** Decides as whom PostgreSQL runs, because it refuses to run as root. */
export async function chooseServerUser(surroundings: Surroundings): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return OURSELVES;
  const { clusterDir } = surroundings;
  const owner = await stat(clusterDir).catch(() => undefined);
  // A cluster that somebody else made stays theirs, so that they can go on with it.
  if (owner !== undefined && owner.uid !== 0)
    return { prefix: [], owner: { uid: owner.uid, gid: owner.gid } };
  if (await canRun(NAMESPACE, surroundings)) return NAMESPACE;

  const user = await systemUser(surroundings);
  if (owner !== undefined && user.owner !== undefined) {
    await run(OURSELVES, 'chown', ['-R', `${user.owner.uid}:${user.owner.gid}`, clusterDir]);
  }
  return user;
}

/** Whether this user reaches both the binaries and the data, for instance below somebody's private home. */
async function canRun(user: ServerUser, { dataDir, postgres }: Surroundings): Promise<boolean> {
  const reaches = ['-c', 'cd "$1" && exec "$2" --version', 'sh', dataDir, postgres];
  return run(user, 'sh', reaches).then(
    () => true,
    () => false,
  );
}

async function systemUser(surroundings: Surroundings): Promise<ServerUser> {
  const nobody = await lookUp('nobody');
  if (nobody === undefined || !(await canRun(nobody, surroundings))) {
    throw cannotRunAsRoot(
      `and no other user can reach ${surroundings.dataDir} and ${surroundings.postgres}, ` +
        'because a directory above one of them is private',
    );
  }
  const existing = await lookUp(SYSTEM_USER);
  if (existing !== undefined) return existing;

  surroundings.note(`PostgreSQL does not run as root: adding the system user "${SYSTEM_USER}" for it.`);
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  await run(OURSELVES, 'useradd', [...options, SYSTEM_USER]).catch((cause: unknown) => {
    throw cannotRunAsRoot(`and the system user "${SYSTEM_USER}" could not be added`, cause);
  });
  const added = await lookUp(SYSTEM_USER);
  if (added === undefined) throw cannotRunAsRoot(`and the system user "${SYSTEM_USER}" is not known`);
  return added;
}

async function lookUp(name: string): Promise<ServerUser | undefined> {
  try {
    const [uid, gid] = await Promise.all([
      run(OURSELVES, 'id', ['-u', name]),
      run(OURSELVES, 'id', ['-g', name]),
    ]);
    return { prefix: [], owner: { uid: Number(uid), gid: Number(gid) } };
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
