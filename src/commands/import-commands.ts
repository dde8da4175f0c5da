import { join } from 'node:path';
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
import { enrichReportLines, reportLines } from '../import/import-report.ts';
import type { PlaceDraft } from '../import/place-draft.ts';

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
    ...{ options: ['as-of'], flags: ['auto-destinations', 'confirm-closures', 'watch'] },
    ...{ operand: 'FILE, folder or URL', run: importMap },
  },
  'import geojson': importCommand('geojson'),
  'import overture': importCommand('overture'),
  'import enrich': { options: [], operand: 'FILE', run: enrich },
};

/** Imports a map from a file, a folder or a URL. With --watch, newer extracts and changes of it are imported too. */
async function importMap(options: Options, from: string): Promise<void> {
  const { followMap } = await import('../import/changes/follow-map.ts');
  const { clearWatchStop, storeWatchStop } = await import('../import/changes/watch-stop.ts');
  const { dataDir, egressAllow } = loadConfig();
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort();
  };
  const watch = options['watch'] !== undefined;
  dayOption(options, 'as-of');
  if (watch) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  await followMap({
    ...{ from, watch, signal: stopped.signal, log: printLine, egress: { allow: egressAllow } },
    folder: join(dataDir, 'maps'),
    progress: (label) => createProgress(process.stdout, label),
    importFile: (file) => importCommand('osm').run(options, file),
    onFollowed: (source) => withDatabase(({ pool }) => clearWatchStop(pool, source)),
    onStopped: async (stop) => {
      // The reason why the watch ended is printed even if the database cannot be reached.
      await withDatabase(({ pool }) => storeWatchStop(pool, stop, systemClock.now())).catch(() => {
        printLine('The database cannot be reached, so the console does not show this.');
      });
    },
  });
}

function importCommand(source: PlaceDraft['source']): Command {
  const run = async (options: Options, file: string) => {
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
        now: systemClock.now(),
        newId: createNewId(systemClock),
        progress: (label) => createProgress(process.stdout, label),
      });
      for (const line of reportLines(report)) printLine(line);
    }, searchFollows);
  };
  return { options: ['as-of'], flags: ['confirm-closures'], operand: 'FILE', run };
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
