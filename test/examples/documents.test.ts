import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { waypostHere } from '../backup/commands.ts';
import { CHECKOUT } from '../harness/service/program.ts';
import { LONG, tries } from '../harness/tier.ts';
import { curlLines, fencedExamples, type Example } from './fenced.ts';
import { NOT_CODE, NOT_OURS, NOT_RUN } from './not-run.ts';
import { partnersOwn, paste, service, shell, untilPhotos } from './reader.ts';

const files = ['README.md', 'CONTRIBUTING.md', 'packages/client/README.md'].concat(
  globSync('docs/*.md', { cwd: CHECKOUT }),
);
const examples = files.flatMap((file) => {
  const text = readFileSync(join(CHECKOUT, file), 'utf8');
  return [...fencedExamples(file, text), ...curlLines(file, text)];
});

/** The commands of a script, each with its further lines, without comments. */
function commandsIn(script: string): string[] {
  // A heredoc belongs to the command that reads it.
  const commands = script.replaceAll('\\\n', ' ').match(/^.*<<(\w+)\n[^]*?^\1$|^.+$/gm) ?? [];
  return commands.map((line) => line.replace(/(^|\s)#\s.*$/, '').trim()).filter((line) => line !== '');
}

const notRun = (command: string) => NOT_RUN.some(({ like }) => like.test(command));

/** Fills in the values that the documents leave to the reader: those that end with three dots. */
function filledIn(command: string, own: Record<string, string>): string {
  return command.replaceAll(/\b([A-Z_]+)='[^']*…'/g, (_, name: string) => {
    assert.ok(own[name], `a reader knows ${name}`);
    return `${name}='${own[name]}'`;
  });
}

let own: Record<string, string> = {};
before(async () => {
  await untilPhotos();
  own = await partnersOwn();
});

/** Takes values for later lines from the answer to a command. */
function learn(answer: string): void {
  own['KEY'] ??= /svc_live_[0-9A-Za-z]+/.exec(answer)?.[0] ?? '';
  if (own['KEY'] === '') delete own['KEY'];
  const asked = /"place_id":"(plc_[0-9a-z]+)"[^{]*\{"method":"request"/.exec(answer)?.[1];
  if (asked !== undefined) own['PLACE_ID'] ??= asked;
}

/** In the quick tier these are run of a document; of the first, which everybody reads, all are. */
const COMMANDS = tries({ quick: 1, long: Infinity });

let programs = 0;

/** In the quick tier the program is started once as it is printed; the other commands for it run in this process. */
async function run(where: string, command: string): Promise<string> {
  const words = /^npx waypost (.+)$/.exec(command)?.[1]?.match(/'[^']*'|\S+/g);
  if (LONG || !words || programs++ === 0) return (await paste(where, command, CHECKOUT)).out;
  const settings = { DATABASE_URL: service.database.url, DATA_DIR: service.app.deps.config.dataDir };
  const { code, out, error } = await waypostHere(
    words.map((word) => word.replaceAll("'", '')),
    settings,
  );
  assert.equal(code, 0, `${where}\n${command}\n${error}`);
  return out;
}

const scripts = examples.filter(({ language }) => language === 'sh');
for (const file of new Set(scripts.map(({ where }) => where.replace(/:\d+$/, ''))))
  test(`every command of ${file} runs as it is printed, or says why it is not run`, async () => {
    const commands = scripts
      .filter((one) => one.where.startsWith(`${file}:`))
      .flatMap(({ where, text }) => commandsIn(text).map((command) => ({ where, command })))
      .filter(({ command }) => !notRun(command));
    for (const { where, command } of file === 'README.md' ? commands : commands.slice(0, COMMANDS)) {
      learn(await run(where, filledIn(command, own)));
    }
  });

test('the list of what is not run names only what the documents have', () => {
  const commands = scripts.flatMap(({ text }) => commandsIn(text));
  const printed = [...commands, ...examples.map(({ text }) => text)];
  const ours = new Set(['programs of others, which sign a person in', 'a header', 'headers of an answer']);
  for (const { like, why } of [...NOT_RUN, ...NOT_CODE])
    assert.ok(ours.has(why) || printed.some((one) => like.test(one)), `${String(like)}: ${why}`);
});

test('every other example is data that can be read, a program that a test runs, or on a list with its reason', async () => {
  const runs: Record<string, (example: Example) => unknown> = {
    json: ({ text }) => JSON.parse(text) as unknown,
    sql: ({ text }) => runStatements(text),
    '': ({ text }) => {
      assert.ok(NOT_CODE.some(({ like }) => like.test(text)));
    },
  };
  for (const example of examples.filter(({ language }) => language !== 'sh')) {
    const { language, where } = example;
    const run = runs[language];
    assert.ok(run !== undefined || Object.hasOwn(NOT_OURS, language), `${where}: ${language}`);
    await run?.(example);
  }
});

/** On the database of the service, and taken back. */
async function runStatements(text: string): Promise<void> {
  await service.database.pool
    .begin(async (sql) => {
      await sql.unsafe(text);
      throw new Error('taken back');
    })
    .catch((thrown: unknown) => {
      assert.equal((thrown as Error).message, 'taken back');
    });
}

test('the client of packages/client/README.md runs with the key in its environment', async () => {
  const example = examples.find(({ where }) => where.startsWith('packages/client/README.md'));
  const programs = examples.filter(
    ({ where, language }) => where.startsWith('packages/client/README.md') && language === 'ts',
  );
  assert.ok(example !== undefined && programs.length === 2);
  const code = programs[0]?.text.replaceAll('https://waypost.example', service.app.deps.config.baseUrl) ?? '';
  const program = shell.node(code, { WAYPOST_KEY: own['KEY'] ?? '' });
  assert.equal(await program.ended, 0, program.printed());
});
