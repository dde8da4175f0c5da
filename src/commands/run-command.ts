import { readFileSync } from 'node:fs';
import { addPartner, PartnerExistsError } from '../accounts/partners/partner.ts';
import { addStaff, STAFF_ROLES, StaffExistsError, type StaffRole } from '../accounts/staff/staff.ts';
import { MailboxTakenError, NoReviewAccountError } from '../accounts/review-account.ts';
import {
  emailOption,
  parseCommandLine,
  printLine,
  UsageError,
  wholeNumber,
  withDatabase,
  writingDatabase,
  type Command,
  type Options,
} from './command.ts';
import { BackupError } from '../backup/backup-error.ts';
import type * as BackupCommands from './backup-commands.ts';
import { ConfigError, loadConfig } from '../config.ts';
import { createPrivateFiles } from '../core/files/private-files.ts';
import { systemClock } from '../core/clock.ts';
import { DataDirInUseError, EmbeddedPostgresError } from '../core/embedded/not-started.ts';
import { AppError } from '../core/errors.ts';
import { createNewId } from '../core/ids.ts';
import { transactionsOf } from '../core/postgres/db.ts';
import { MigrationError } from '../core/postgres/migrate.ts';
import { createProgress } from '../core/progress.ts';
import { DAY_MS } from '../core/time.ts';
import { ClusterError } from './cluster/cluster-error.ts';
import { DESTINATION_COMMANDS } from './destination-commands.ts';
import { IMPORT_COMMANDS, searchFollows } from './import-commands.ts';
import { LISTING_COMMANDS } from './listing-commands.ts';
import { PERSON_OPTIONS, PrivacyError } from './privacy/person.ts';
import { WorkerEndedError } from '../core/workers/worker-ended-error.ts';
import { explainDatabase, UnfitDatabaseError } from '../node/database-fault.ts';
import { ImportFileError } from '../import/import-file-error.ts';
import { PhotoStoreError } from '../photos/store-probe.ts';
import { ListenError } from '../protocol/http/listen-error.ts';

const COMMANDS: Record<string, Command> = {
  start: { options: [], run: start },
  cluster: { options: ['nginx'], run: clusterOnThisMachine },
  migrate: { options: [], run: migrateOnly },
  doctor: { options: [], run: doctor },
  'support-bundle': { options: ['log'], operand: 'FILE', run: supportBundle },
  demo: { options: ['places', 'seed'], run: demo },
  backup: { options: [], operand: 'FILE', run: backupCommand('backupCommand') },
  'backup into': {
    options: ['keep-days', 'recipient'],
    operand: 'FOLDER',
    run: backupCommand('backupIntoCommand'),
  },
  'backup verify': { options: ['identity'], operand: 'FILE', run: backupCommand('verifyCommand') },
  'backup key': { options: [], operand: 'FILE', run: backupCommand('backupKeyCommand') },
  restore: { options: ['identity'], operand: 'FILE', run: backupCommand('restoreCommand') },
  ...IMPORT_COMMANDS,
  ...DESTINATION_COMMANDS,
  ...LISTING_COMMANDS,
  'closure report': { options: ['place', 'url', 'note'], run: closureCommand('reportClosureCommand') },
  'closure reopen': { options: ['place', 'note'], run: closureCommand('reopenPlaceCommand') },
  'staff add': { options: ['email', 'role', 'password'], run: staffAdd },
  'ledger verify': { options: [], run: verifyCommand('ledgerCommand') },
  'bookings verify': { options: [], run: verifyCommand('timelinesCommand') },
  'drill kill-switch': { options: ['staff'], flags: ['yes'], run: drillKillSwitch },
  'review-account add': { options: ['email', 'days'], run: reviewAccount('reviewAccountAdd') },
  'review-account revoke': { options: ['email'], run: reviewAccount('reviewAccountRevoke') },
  'partner add': { options: ['email', 'name'], run: partnerAdd },
  'secrets rotate': { options: ['grace-days'], operand: 'signing-key', run: secretsRotate },
  'privacy export': { options: PERSON_OPTIONS, operand: 'FILE', run: privacyExport },
  'privacy erase': { options: PERSON_OPTIONS, flags: ['yes'], run: privacyErase },
};

// Each command loads its own modules: the service and the map readers take longer to load than a short command to run.
async function start(): Promise<void> {
  const { startService } = await import('../main.ts');
  await startService(loadConfig());
}

async function clusterOnThisMachine({ nginx }: Options): Promise<void> {
  const { clusterCommand } = await import('./cluster/cluster-command.ts');
  const log = (line: string) => void process.stderr.write(`${line}\n`);
  await clusterCommand(loadConfig(), nginx, { say: printLine, log });
}

function migrateOnly(): Promise<void> {
  return writingDatabase(() => {
    printLine('The tables are up to date.');
    return Promise.resolve();
  });
}

/** Receivers keep the published keys for an hour; some only read them at their start. */
const GRACE_DAYS = 7;
const GRACE_DAYS_MAX = 90;

/** Thrown when the installation has faults. They are printed before, and the exit code is 1. */
class FaultError extends Error {}

async function doctor(): Promise<void> {
  const { doctorCommand } = await import('./doctor/doctor-command.ts');
  const faults = await doctorCommand(loadConfig(), printLine);
  if (faults !== undefined) throw new FaultError(faults);
}

async function supportBundle(options: Options, file: string): Promise<void> {
  const { writeSupportBundle } = await import('./doctor/support-bundle.ts');
  await writeSupportBundle(loadConfig(), { file, log: options['log'], say: printLine });
}

function backupCommand(name: keyof typeof BackupCommands) {
  return async (options: Options, file: string) => {
    const commands = await import('./backup-commands.ts');
    await commands[name](options, file);
  };
}

async function demo(options: Options): Promise<void> {
  const places = wholeNumber(options, 'places', 24_000, 10_000_000);
  const seed = wholeNumber(options, 'seed', 1, 2 ** 31 - 1);
  await writingDatabase(async ({ pool }) => {
    const { loadDemo } = await import('../demo/load-demo.ts');
    const progress = createProgress(process.stdout, 'Demonstration directory');
    const loaded = await loadDemo(pool, { places, seed, now: systemClock.now(), progress });
    await (await import('../demo/photos/demo-photos.ts')).enqueueDemoPhotos(pool);
    printLine(`The directory contains ${loaded.places.toLocaleString('en')} demonstration venues.`);
  }, searchFollows);
}

function closureCommand(name: 'reportClosureCommand' | 'reopenPlaceCommand') {
  return (options: Options) =>
    writingDatabase(async ({ pool }) => {
      const commands = await import('../directory/closure/closure-command.ts');
      printLine(await pool.begin((tx) => commands[name](tx, systemClock.now(), options)));
    });
}

async function staffAdd(options: Options): Promise<void> {
  const email = emailOption(options);
  const role = options['role'] ?? 'reviewer';
  if (!STAFF_ROLES.some((name) => name === role))
    throw new UsageError(`--role must be one of ${STAFF_ROLES.join(', ')}.`);
  const { password } = options;
  if (password !== undefined && (password.length < 12 || password.length > 200)) {
    throw new UsageError('--password must have 12 to 200 characters.');
  }
  await writingDatabase(async ({ pool }) => {
    const person = { email, role: role as StaffRole, password };
    const staffPassword = await transactionsOf(pool)((tx) =>
      addStaff(tx, createNewId(systemClock), systemClock.now(), person),
    );
    printLine(`${email} is a member of staff, role ${role}.`);
    if (password === undefined) printLine(`Password (shown only once): ${staffPassword}`);
    printLine(
      `They sign in at ${loadConfig().baseUrl}/console, which sets up the second factor the first time:`,
    );
    printLine('that needs an authenticator app on a phone. A password shown here must be changed there.');
  });
}

async function partnerAdd(options: Options): Promise<void> {
  const email = emailOption(options);
  const name = options['name']?.trim() ?? '';
  if (name.length < 2 || name.length > 120) throw new UsageError('--name must have 2 to 120 characters.');
  await writingDatabase(async ({ pool }) => {
    const { prefix } = loadConfig();
    const added = await transactionsOf(pool)((tx) =>
      addPartner(tx, createNewId(systemClock), systemClock.now(), prefix, { email, name }),
    );
    printLine(`${name} is a partner: ${added.partnerId}`);
    printLine(`Key (shown only once): ${added.apiKey}`);
    printLine(
      'It stops working when somebody verifies the mailbox by signing in at /partner, which shows a new one.',
    );
  });
}

function secretsRotate(options: Options, name: string): Promise<void> {
  if (name !== 'signing-key') throw new UsageError('The secret that can be rotated is signing-key.');
  const days = wholeNumber(options, 'grace-days', GRACE_DAYS, GRACE_DAYS_MAX);
  return writingDatabase(async ({ pool }) => {
    const { rotateSigningKey } = await import('../delivery/signing-key.ts');
    const now = systemClock.now();
    const { kid, until } = await transactionsOf(pool)((tx) => rotateSigningKey(tx, now, days * DAY_MS));
    printLine(`Webhooks and callbacks are signed with the new key ${kid} from now on,`);
    printLine(`and with the old one as well until ${until.toISOString()}.`);
  });
}

function privacyExport(options: Options, file: string): Promise<void> {
  return writingDatabase(async ({ pool }) => {
    const { exportCommand } = await import('./privacy/privacy-commands.ts');
    await exportCommand(transactionsOf(pool), printLine, file, options);
  });
}

function privacyErase(options: Options): Promise<void> {
  return writingDatabase(async ({ pool }) => {
    const { eraseCommand } = await import('./privacy/privacy-commands.ts');
    await eraseCommand(transactionsOf(pool), printLine, options);
  });
}

function reviewAccount(name: 'reviewAccountAdd' | 'reviewAccountRevoke') {
  return (options: Options) =>
    writingDatabase(async ({ pool }) => {
      const commands = await import('./review-commands.ts');
      const inTransaction = transactionsOf(pool);
      if (name === 'reviewAccountAdd') await commands.reviewAccountAdd(pool, inTransaction, options);
      else await commands.reviewAccountRevoke(inTransaction, options);
    });
}

/** Thrown when records are inconsistent. The findings are printed, and the exit code is 1. */
class RecordError extends Error {}

function verifyCommand(name: 'ledgerCommand' | 'timelinesCommand') {
  return () =>
    withDatabase(async ({ pool }) => {
      const commands = await import('./verify-commands.ts');
      const fault = await commands[name](pool, printLine);
      if (fault !== undefined) throw new RecordError(fault);
    });
}

/** Thrown when something was sent after the switch had been confirmed. The findings are printed; the exit code is 1. */
class DrillError extends Error {}

function drillKillSwitch(options: Options): Promise<void> {
  return writingDatabase(async ({ pool }) => {
    const { drillCommand } = await import('../bookings/kill-switch/drill-command.ts');
    const parts = { db: pool, inTransaction: transactionsOf(pool), clock: systemClock, say: printLine };
    if (!(await drillCommand({ ...parts, newId: createNewId(systemClock) }, options)))
      throw new DrillError('The drill has failed.');
  });
}

/** Explains errors that a person can fix in one sentence; any other error keeps its stack, because it is our defect. */
function explain(thrown: unknown): string {
  const plain = [
    UsageError,
    ConfigError,
    BackupError,
    PhotoStoreError,
    PrivacyError,
    DataDirInUseError,
    EmbeddedPostgresError,
    ImportFileError,
    StaffExistsError,
    PartnerExistsError,
    MailboxTakenError,
    NoReviewAccountError,
    MigrationError,
    ClusterError,
    FaultError,
    RecordError,
    DrillError,
    AppError,
    ListenError,
    UnfitDatabaseError,
    WorkerEndedError,
  ];
  if (thrown instanceof Error && plain.some((kind) => thrown instanceof kind)) return thrown.message;
  const explanation = explainDatabase(thrown, loadConfig());
  if (explanation !== undefined) return explanation;
  return (
    explainSystem(thrown) ?? (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))
  );
}

/** Explains what the operating system refused, such as a folder in which this user may not write. */
function explainSystem(thrown: unknown): string | undefined {
  const { syscall, path, message } = (thrown ?? {}) as Partial<NodeJS.ErrnoException>;
  if (syscall === undefined || path === undefined || message === undefined) return undefined;
  return `${path} cannot be used: ${message.split(',')[0] ?? message}.`;
}

export async function runCommand(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h') || args.length === 0 || args[0] === 'help') {
    process.stdout.write(readFileSync(new URL('help.txt', import.meta.url)));
    return 0;
  }
  createPrivateFiles();
  try {
    // A command's name has one or two words.
    const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((words) => Object.hasOwn(COMMANDS, words));
    const command = COMMANDS[name ?? ''];
    if (name === undefined || command === undefined) {
      const words = args.slice(0, 2).filter((word) => !word.startsWith('-'));
      throw new UsageError(`There is no command "${words.join(' ')}". Try: waypost help`);
    }
    const { options, operand, further } = parseCommandLine(args.slice(name.split(' ').length), command);
    await command.run(options, operand, further);
    return 0;
  } catch (thrown) {
    process.stderr.write(`${explain(thrown)}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}
