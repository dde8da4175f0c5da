import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { describeInstallation } from '../core/installation/installation.ts';
import { createProgress, type Progress } from '../core/progress.ts';
import { visibleMembers } from '../core/text/visible-text.ts';
import { isServiceRunning } from '../jobs/dead-runners.ts';
import { openDatabase, type Database } from '../database.ts';

/** The call's words are wrong: the message says how, and the exit code is 2. */
export class UsageError extends Error {}

export type Options = Record<string, string | undefined>;

export interface Command {
  options: readonly string[];
  /** Options that stand alone; when given, their value is an empty text. */
  flags?: readonly string[];
  /** What the word after the command's name is, where it takes one. */
  operand?: string;
  run(options: Options, operand: string): Promise<void>;
}

/** Opens the database of the settings for a command that only reads. */
export function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  return openFor(work, () => Promise.resolve());
}

/** The same for a command that writes: at its end it says where it wrote, and whether a service runs there. */
export function writingDatabase(
  work: (database: Database) => Promise<void>,
  ending: (isRunning: boolean) => string[] = () => [],
): Promise<void> {
  return openFor(work, async ({ pool }) => {
    const isRunning = await isServiceRunning(pool);
    say(
      `Written to ${describeInstallation(loadConfig())}, on which ${isRunning ? 'a' : 'no'} service is running.`,
    );
    for (const line of ending(isRunning)) say(line);
  });
}

async function openFor(
  work: (database: Database) => Promise<void>,
  end: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(loadConfig(), 'tool', say);
  try {
    await work(database);
    await end(database);
  } finally {
    await database.close();
  }
}

export function say(message: string): void {
  process.stdout.write(`${message}\n`);
}

/** Shows how far long work has come. */
export function bar(label: string): Progress {
  return createProgress(process.stdout, label);
}

export function count(value: number, one: string): string {
  return `${value.toLocaleString('en')} ${one}${value === 1 ? '' : 's'}`;
}

export function readWords(args: string[], command: Command): { options: Options; operand: string } {
  const known: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const name of command.options) known[name] = { type: 'string' };
  for (const name of command.flags ?? []) known[name] = { type: 'boolean' };
  const { values, positionals } = parseWords(args, known);
  const expected = command.operand === undefined ? 0 : 1;
  if (positionals.length > expected)
    throw new UsageError(`"${positionals[expected] ?? ''}" is one word too many.`);
  if (positionals.length < expected)
    throw new UsageError(`${command.operand ?? ''} is missing. Try: waypost help`);
  const options = Object.entries(values).map(([name, value]) => [name, value === true ? '' : value] as const);
  const visible = visibleMembers(Object.fromEntries(options) as Options);
  return { options: visible, operand: positionals[0] ?? '' };
}

function parseWords(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

export function emailOption(options: Options): string {
  const email = options['email'] ?? '';
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new UsageError('--email must be an email address.');
  return email.toLowerCase();
}

export function wholeNumber(options: Options, name: string, otherwise: number, max: number): number {
  const text = options[name];
  if (text === undefined) return otherwise;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new UsageError(`--${name} must be a whole number up to ${max}.`);
  return value;
}
