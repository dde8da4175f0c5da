import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { describeInstallation } from '../core/installation.ts';
import { createProgress, type Progress } from '../core/progress.ts';
import { visibleMembers } from '../core/text/visible-text.ts';
import { isServiceRunning } from '../jobs/dead-runners.ts';
import { openDatabase, type Database } from '../node/database.ts';

/** Thrown for wrong command-line arguments. The message explains the fault, and the exit code is 2. */
export class UsageError extends Error {}

export type Options = Record<string, string | undefined>;

export interface Command {
  options: readonly string[];
  /** Options without a value; when present, their value is an empty string. */
  flags?: readonly string[];
  /** Description of the argument after the command's name, for commands that take one. */
  operand?: string;
  /** True when further arguments of the same type may follow. */
  takesSeveral?: boolean;
  run(options: Options, operand: string, further: readonly string[]): Promise<void>;
}

/** Opens the configured database for a command that only reads. */
export function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  return openFor(work, () => Promise.resolve());
}

/** The same for a command that writes: at its end it prints where it wrote and whether a service runs there. */
export function writingDatabase(
  work: (database: Database) => Promise<void>,
  ending: (isRunning: boolean) => string[] = () => [],
): Promise<void> {
  return openFor(work, async ({ pool }) => {
    const isRunning = await isServiceRunning(pool);
    printLine(
      `Written to ${describeInstallation(loadConfig())}, on which ${isRunning ? 'a' : 'no'} service is running.`,
    );
    for (const line of ending(isRunning)) printLine(line);
  });
}

async function openFor(
  work: (database: Database) => Promise<void>,
  end: (database: Database) => Promise<void>,
): Promise<void> {
  const database = await openDatabase(loadConfig(), 'tool', printLine);
  try {
    await work(database);
    await end(database);
  } finally {
    await database.close();
  }
}

export function printLine(message: string): void {
  process.stdout.write(`${message}\n`);
}

export function bar(label: string): Progress {
  return createProgress(process.stdout, label);
}

interface CommandLine {
  options: Options;
  operand: string;
  further: string[];
}

export function parseCommandLine(args: string[], command: Command): CommandLine {
  const accepted: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const name of command.options) accepted[name] = { type: 'string' };
  for (const name of command.flags ?? []) accepted[name] = { type: 'boolean' };
  const { values, positionals } = parseWords(args, accepted);
  const expected = command.operand === undefined ? 0 : 1;
  if (positionals.length > expected && command.takesSeveral !== true)
    throw new UsageError(`"${positionals[expected] ?? ''}" is one argument too many.`);
  if (positionals.length < expected)
    throw new UsageError(`${command.operand ?? ''} is missing. Try: waypost help`);
  const options = Object.entries(values).map(([name, value]) => [name, value === true ? '' : value] as const);
  const visible = visibleMembers(Object.fromEntries(options) as Options);
  return { options: visible, operand: positionals[0] ?? '', further: positionals.slice(1) };
}

function parseWords(args: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: joinNegatives(args, options), options, strict: true, allowPositionals: true });
  } catch (thrown) {
    throw new UsageError(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

/** Joins a negative number with its option, because it would be read as an option itself. */
function joinNegatives(args: readonly string[], options: Record<string, { type: string }>): string[] {
  const joined: string[] = [];
  for (const word of args) {
    const last = joined.at(-1) ?? '';
    const isValue = last.startsWith('--') && options[last.slice(2)]?.type === 'string';
    if (isValue && /^-\d/.test(word)) joined.splice(-1, 1, `${last}=${word}`);
    else joined.push(word);
  }
  return joined;
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
