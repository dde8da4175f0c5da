import { Counter, Gauge, type Registry } from 'prom-client';
import type { OwnIndex } from './own-index.ts';

/** Registers metrics of the search index. Only the process that writes the file reports them. */
export function addIndexMetrics(index: OwnIndex, registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('waypost_search_index_ready', '1 while searches are answered, 0 while they are refused.', () =>
    Number(index.isReady),
  );
  gauge('waypost_search_index_building', '1 while an index is being checked or built.', () =>
    Number(index.progress.isMaking),
  );
  gauge(
    'waypost_search_index_behind_seconds',
    'Time since the search index was up to date. A few seconds are normal.',
    () => index.progress.behindSeconds,
  );
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  for (const [name, help, event] of COUNTERS)
    counter(`waypost_search_index_${name}_total`, help, () => index.progress[event]);
}

const COUNTERS = [
  ['failures', 'How often an index could not be built or updated.', 'failures'],
  ['builds', 'How often this node built an index.', 'builds'],
  ['fetches', 'How often this node fetched an index that another one built.', 'fetches'],
  [
    'share_failures',
    'How often a copy of the index could not be stored for other nodes, or could not be used.',
    'shareFailures',
  ],
] as const;
