import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { PoolUse } from './postgres/connections/connections.ts';
import { RequestTimes } from './request-times.ts';

declare module './context.ts' {
  interface Deps {
    metrics: Metrics;
  }
}

/** What a node tells about itself in Prometheus form. Labels are routes, never addresses, so their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestTimes();
  readonly toolCalls: Counter<'surface' | 'tool' | 'outcome'>;
  readonly #pools = new Map<string, () => PoolUse>();
  /** All that this node tells. Where it has several processes, another one has all of it. */
  text: () => Promise<string> = () => this.registry.metrics();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.requests.register(this.registry);
    this.toolCalls = new Counter({
      name: 'waypost_tool_calls_total',
      help: 'MCP tool calls by surface, tool and outcome.',
      labelNames: ['surface', 'tool', 'outcome'],
      registers: [this.registry],
    });
    this.#tellPools();
  }

  /** Tells from now on how a pool of connections is used. */
  watchPool(pool: string, use: () => PoolUse): void {
    this.#pools.set(pool, use);
  }

  #tellPools(): void {
    const pools = this.#pools;
    const registers = [this.registry];
    new Gauge({
      name: 'waypost_database_connections',
      help: 'Open connections to the database by what they are for.',
      labelNames: ['pool', 'state'],
      registers,
      collect() {
        for (const [pool, use] of pools) {
          const { inUse, idle } = use();
          this.set({ pool, state: 'in_use' }, inUse);
          this.set({ pool, state: 'idle' }, idle);
        }
      },
    });
    new Gauge({
      name: 'waypost_database_waiting',
      help: 'Statements and transactions that wait for a connection.',
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, use] of pools) this.set({ pool }, use().waiting);
      },
    });
  }

  /** The figures of this process, for another one to add up. */
  figures(): Promise<Figures> {
    return this.registry.getMetricsAsJSON();
  }
}

export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The figures of several processes as those of one: counts are added, delays averaged. */
export function addedUp(figures: readonly Figures[]): Promise<string> {
  return AggregatorRegistry.aggregate([...figures]).metrics();
}
