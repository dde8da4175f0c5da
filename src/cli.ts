#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { addPartner, PartnerExistsError } from './accounts/partner.ts';
import { addStaff, STAFF_ROLES, StaffExistsError, type StaffRole } from './accounts/staff.ts';
import { ConfigError, loadConfig } from './config.ts';
import { systemClock } from './core/clock.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './core/embedded-postgres.ts';
import { createNewId } from './core/ids.ts';
import { createProgress } from './core/progress.ts';
import { openDatabase, type Database } from './database.ts';
import { loadDemo } from './directory/demo/load-demo.ts';
import { startService } from './main.ts';

const HELP = `waypost: an open places directory

Usage: waypost <command> [options]

  start                         run the service (as npm start does)
  migrate                       bring the database's tables up to date
  demo [--places N] [--seed N]  replace the demonstration venues (24,000 places, seed 1)
  staff add --email E [--role reviewer|desk|lead] [--password P]
                                add a person; without a password one is made and shown
  partner add --email E --name N
                                add a partner and show its key
  help                          show this text

Settings come from the environment or a file named .env; .env.example lists them.
`;

/** The call's words are wrong: the message says how, and the exit code is 2. */
class UsageError extends Error {}

type Options = Record<string, string | undefined>;

const COMMANDS: Record<string, { options: readonly string[]; run(options: Options): Promise<void> }> = {
  start: { options: [], run: () => startService(loadConfig()) },
  migrate: { options: [], run: migrateOnly },
  demo: { options: ['places', 'seed'], run: demo },
  'staff add': { options: ['email', 'role', 'password'], run: staffAdd },
  'partner add': { options: ['email', 'name'], run: partnerAdd },
};

function migrateOnly(): Promise<void> {
  return withDatabase(() => {
    say('The tables are up to date.');
    return Promise.resolve();
  });
}

async function demo(options: Options): Promise<void> {
  const places = wholeNumber(options, 'places', 24_000, 10_000_000);
  const seed = wholeNumber(options, 'seed', 1, 2 ** 31 - 1);
  await withDatabase(async ({ pool }) => {
    const progress = createProgress(process.stdout, 'Demonstration directory');
    const loaded = await loadDemo(pool, { places, seed, now: systemClock.now(), progress });
    say(`The directory holds ${loaded.places.toLocaleString('en')} demonstration venues.`);
  });
}

async function staffAdd(options: Options): Promise<void> {
  const email = emailOption(options);
  const role = options['role'] ?? 'reviewer';
  if (!STAFF_ROLES.some((known) => known === role))
    throw new UsageError(`--role must be one of ${STAFF_ROLES.join(', ')}.`);
  const { password } = options;
  if (password !== undefined && password.length < 12)
    throw new UsageError('--password must have at least 12 characters.');
  await withDatabase(async ({ pool }) => {
    const now = systemClock.now();
    const shown = await addStaff(pool, createNewId(systemClock), now, {
      email,
      role: role as StaffRole,
      password,
    });
    say(`${email} is a member of staff, role ${role}.`);
    if (password === undefined) say(`Password, shown this once: ${shown}`);
  });
}

async function partnerAdd(options: Options): Promise<void> {
  const email = emailOption(options);
  const name = options['name']?.trim() ?? '';
  if (name.length < 2 || name.length > 120) throw new UsageError('--name must have 2 to 120 characters.');
  await withDatabase(async ({ pool }) => {
    const { prefix } = loadConfig();
    const added = await addPartner(pool, createNewId(systemClock), systemClock.now(), prefix, {
      email,
      name,
    });
    say(`${name} is a partner: ${added.partnerId}`);
    say(`Key, shown this once: ${added.apiKey}`);
  });
}

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await openDatabase(loadConfig(), 'tool', say);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

function emailOption(options: Options): string {
  const email = options['email'] ?? '';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError('--email must be an email address.');
  return email.toLowerCase();
}

function wholeNumber(options: Options, name: string, otherwise: number, max: number): number {
  const text = options[name];
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new UsageError(`--${name} must be a whole number up to ${max}.`);
  return value;
}

function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** What a person can mend is told in one sentence; anything else keeps its stack, because it is a defect of ours. */
function explain(thrown: unknown): string {
  const plain = [
    UsageError,
    ConfigError,
    DataDirInUseError,
    EmbeddedPostgresError,
    StaffExistsError,
    PartnerExistsError,
  ];
  if (thrown instanceof Error && plain.some((kind) => thrown instanceof kind)) return thrown.message;
  const { code, port } = (thrown ?? {}) as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `Port ${port ?? ''} is taken by another program. Set PORT to a free one.`;
  if (code === 'ECONNREFUSED') return 'PostgreSQL cannot be reached. Check DATABASE_URL.';
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

async function run(args: string[]): Promise<number> {
  const words = args.slice(
    0,
    args.findIndex((word) => word.startsWith('-')) < 0
      ? args.length
      : args.findIndex((word) => word.startsWith('-')),
  );
  if (args.includes('--help') || args.includes('-h') || words.length === 0 || words[0] === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    const name = words.join(' ');
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command "${name}". Try: waypost help`);
    await command.run(readOptions(args.slice(words.length), command.options));
    return 0;
  } catch (thrown) {
    process.stderr.write(`${explain(thrown)}\n`);
    return thrown instanceof UsageError ? 2 : 1;
  }
}

function readOptions(args: string[], known: readonly string[]): Options {
  try {
    const options = Object.fromEntries(known.map((name) => [name, { type: 'string' as const }]));
    return parseArgs({ args, options, strict: true }).values;
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

process.exitCode = await run(process.argv.slice(2));
