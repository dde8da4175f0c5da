import { createInterface } from 'node:readline/promises';
import {
  printLine,
  UsageError,
  withDatabase,
  writingDatabase,
  type Command,
  type Options,
} from './command.ts';
import { loadConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { createNewId } from '../core/ids.ts';
import { createProgress } from '../core/progress.ts';
import { formatCount } from '../core/text/format-count.ts';
import { DAY_MS } from '../core/time.ts';
import type { CsvMapping } from '../import/csv/csv-mapping.ts';
import { enrichReportLines, reportLines } from '../import/import-report.ts';
import type { PlaceFilter } from '../import/overture/place-filter.ts';
import type { PlaceDraft } from '../import/place-draft.ts';
import { countryCode } from '../import/tags/address.ts';

/** Explains to a person who has just written places when searches find them; promises nothing without a service. */
export function searchFollows(isRunning: boolean): string[] {
  return [
    isRunning
      ? 'Its searches find the places within seconds. After tens of thousands of changes each node builds a new search index beside the old one, and its log says "new index in use".'
      : 'Searches find the places once a service starts on it. If your service is running, it uses another database: set the same DATA_DIR or DATABASE_URL for this command, as /console/set-up shows.',
  ];
}

export const IMPORT_COMMANDS: Record<string, Command> = {
  'import osm': {
    ...{ options: ['as-of'], flags: ['auto-destinations', 'confirm-closures', 'watch', 'no-streets'] },
    ...{ operand: 'FILE, folder or URL', run: importMap },
  },
  'map build': { options: ['out'], operand: 'FILE', takesSeveral: true, run: buildMaps },
  'import geojson': importCommand('geojson'),
  'import overture': importCommand('overture', ['country', 'box']),
  'import foursquare': importCommand('foursquare', ['country', 'box']),
  'import csv': {
    ...importCommand('csv', ['map', 'delimiter', 'encoding']),
    ...{ flags: ['confirm-closures', 'yes'], run: importTable },
  },
  'import enrich': { options: [], operand: 'FILE', run: enrich },
};

/** Imports a map from a file, a folder or a URL. With --watch, newer extracts and changes of it are imported too. */
async function importMap(options: Options, from: string): Promise<void> {
  const { followMap } = await import('../import/changes/follow-map.ts');
  const { clearWatchStop, storeWatchStop } = await import('../import/changes/watch-stop.ts');
  const { mapDir, egressAllow } = loadConfig();
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort();
  };
  const watch = options['watch'] !== undefined;
  dayOption(options, 'as-of');
  if (watch) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  await followMap({
    ...{ from, watch, signal: stopped.signal, log: printLine, egress: { allow: egressAllow } },
    folder: mapDir,
    progress: (label) => createProgress(process.stdout, label),
    importFile: async (file) => {
      await runImport('osm', options, file);
      if (options['no-streets'] === undefined) await addStreets(file, watch);
    },
    onFollowed: (source) => withDatabase(({ pool }) => clearWatchStop(pool, source)),
    onStopped: async (stop) => {
      // The reason why the watch ended is printed even if the database cannot be reached.
      await withDatabase(({ pool }) => storeWatchStop(pool, stop, systemClock.now())).catch(() => {
        printLine('The database cannot be reached, so the console does not show this.');
      });
    },
  });
}

/** Builds the street map of an imported extract. While watching, once a day is enough: streets change slowly. */
async function addStreets(file: string, watch: boolean): Promise<void> {
  try {
    const { builtAt } = await import('../streets/build/build-streets.ts');
    const last = watch ? await builtAt(loadConfig().mapDir, file) : undefined;
    if (last !== undefined && systemClock.now().getTime() - last.getTime() < DAY_MS) return;
    await buildMap({}, file);
  } catch (thrown) {
    // The places are imported, and a watch goes on. A map of shops alone has no streets, and a disk may be full.
    printLine(`There is no street map: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

/** Builds the street map of an extract, for this node or as a file. */
async function buildMap(options: Options, file: string): Promise<void> {
  const { buildStreets } = await import('../streets/build/build-streets.ts');
  const { out, tiles, features } = await buildStreets({
    ...{ file, folder: loadConfig().mapDir, out: options['out'] },
    progress: (label) => createProgress(process.stdout, label),
  });
  const [objects, tileCount] = [formatCount(features, 'object'), formatCount(tiles, 'tile')];
  printLine(`The street map with ${objects} in ${tileCount} is ${out}.`);
}

async function buildMaps(options: Options, file: string, further: readonly string[]): Promise<void> {
  if (options['out'] !== undefined && further.length > 0)
    throw new UsageError('--out names one file, so it takes one extract.');
  for (const one of [file, ...further]) await buildMap(options, one);
}

function importCommand(source: PlaceDraft['source'], more: readonly string[] = []): Command {
  const run = (options: Options, file: string) => runImport(source, options, file);
  return { ...{ options: ['as-of', ...more], flags: ['confirm-closures'] }, ...{ operand: 'FILE', run } };
}

async function runImport(
  source: PlaceDraft['source'],
  options: Options,
  file: string,
  mapping?: CsvMapping,
): Promise<void> {
  const filter = filterOf(options);
  const asOf = dayOption(options, 'as-of');
  // The readers load while the database connection is opened.
  const readers = import('../import/import-places.ts');
  await writingDatabase(async ({ pool }) => {
    const { importFile } = await readers;
    const report = await importFile(pool, {
      source,
      file,
      autoDestinations: options['auto-destinations'] !== undefined,
      confirmClosures: options['confirm-closures'] !== undefined,
      asOf,
      filter,
      mapping,
      now: systemClock.now(),
      newId: createNewId(systemClock),
      progress: (label) => createProgress(process.stdout, label),
    });
    for (const line of reportLines(report)) printLine(line);
  }, searchFollows);
}

/** Shows how the columns of a table are read, and imports it once a person has confirmed that. */
async function importTable(options: Options, file: string): Promise<void> {
  dayOption(options, 'as-of');
  const { describeCsv, readCsvMapping } = await import('../import/csv/csv-mapping.ts');
  const { map, encoding } = options;
  const delimiter = options['delimiter'] === 'tab' ? '\t' : options['delimiter'];
  const mapping = await readCsvMapping(file, { map, encoding, delimiter });
  for (const line of await describeCsv(file, mapping)) printLine(line);
  const isSure = mapping.exportOf !== null || options['yes'] !== undefined;
  if (!isSure && !(await isConfirmed('Import the file like this? (yes/no) '))) {
    throw new UsageError(
      'Nothing was imported. Repeat with --yes if the columns are right; --map "name=Title,lat=Y" corrects them.',
    );
  }
  await runImport('csv', options, file, mapping);
}

/** Asks at the terminal. Without one, nothing is confirmed. */
async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/** Reads the part of a worldwide data set: `--country MT,IT` and `--box west,south,east,north`. */
function filterOf(options: Options): PlaceFilter {
  const countries = options['country']?.split(',').map((code) => code.trim().toUpperCase()) ?? [];
  if (countries.some((code) => countryCode(code) === null))
    throw new UsageError('--country must be one or several ISO country codes, such as MT or MT,IT.');
  const text = options['box'];
  if (text === undefined) return { countries, box: null };
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...rest] = text.split(',').map(Number);
  const isBox = west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90;
  if (!isBox || rest.length > 0)
    throw new UsageError('--box must be west,south,east,north in degrees, such as 14.1,35.7,14.6,36.1.');
  return { countries, box: { west, south, east, north } };
}

function enrich(_options: Options, file: string): Promise<void> {
  return writingDatabase(async ({ pool }) => {
    const progress = (label: string) => createProgress(process.stdout, label);
    const { enrichPlaces } = await import('../import/enrich-places.ts');
    const report = await enrichPlaces(pool, { file, now: systemClock.now(), progress });
    for (const line of enrichReportLines(report)) printLine(line);
  }, searchFollows);
}

function dayOption(options: Options, name: string): Date | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text) || day > systemClock.now())
    throw new UsageError(`--${name} must be today or a past day, such as 2026-03-31.`);
  return day;
}
