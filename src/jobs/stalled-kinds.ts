import { Counter, Gauge, type Registry } from 'prom-client';
import { KIND_NAMES, type Kind } from './kinds.ts';

declare module '../core/context.ts' {
  interface Deps {
    stalledKinds: StalledKinds;
  }
}

/** The kinds of jobs that this node does not take although some are due, and since when. */
export class StalledKinds {
  #since = new Map<Kind, Date>();
  #restarts: Counter<'kind'> | undefined;
  /** Called after each change; a node with several processes passes the list on. */
  changed: (kinds: Kind[]) => void = () => undefined;

  get kinds(): Kind[] {
    return [...this.#since.keys()].sort();
  }

  since(kind: Kind): Date | undefined {
    return this.#since.get(kind);
  }

  /** Notes that the watchdog restarted a kind. */
  restarted(kind: Kind, now: Date): void {
    this.#restarts?.inc({ kind });
    if (this.#since.has(kind)) return;
    this.#since.set(kind, now);
    this.changed(this.kinds);
  }

  recovered(kind: Kind): void {
    if (this.#since.delete(kind)) this.changed(this.kinds);
  }

  /** Takes over what the process found that runs the jobs of this node. */
  replaceAll(kinds: readonly Kind[], now: Date): void {
    this.#since = new Map(kinds.map((kind) => [kind, now]));
  }

  register(registry: Registry): void {
    const registers = [registry];
    const stalled = (kind: Kind) => Number(this.#since.has(kind));
    new Gauge({
      name: 'waypost_jobs_stalled',
      help: '1 while jobs of a kind are due and this node takes none.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const kind of KIND_NAMES) this.set({ kind }, stalled(kind));
      },
    });
    this.#restarts = new Counter({
      name: 'waypost_job_restarts_total',
      help: 'How often this node restarted a kind of job that stood still.',
      labelNames: ['kind'],
      registers,
    });
    for (const kind of KIND_NAMES) this.#restarts.inc({ kind }, 0);
  }
}
