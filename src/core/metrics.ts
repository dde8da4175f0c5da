import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { PoolUse } from './postgres/connections/connections.ts';
import { RequestTimes } from './request-times.ts';

declare module './context.ts' {
  interface Deps {
    metrics: Metrics;
  }
}

/** Prometheus metrics of a node. Labels are routes, never addresses, so their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new RequestTimes();
  readonly toolCalls: Counter<'surface' | 'tool' | 'outcome'>;
  readonly #pools = new Map<string, () => PoolUse>();
  /** All metrics of this node. In a node of several processes, the main process provides them. */
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
    this.#addPoolMetrics();
  }

  watchPool(pool: string, use: () => PoolUse): void {
    this.#pools.set(pool, use);
  }

  #addPoolMetrics(): void {
    const pools = this.#pools;
    const registers = [this.registry];
    new Gauge({
      name: 'waypost_database_connections',
      help: 'Open connections to the database by purpose.',
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

  figures(): Promise<MetricValues> {
    return this.registry.getMetricsAsJSON();
  }
}

export type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Merges the metrics of several processes: counts are added, delays averaged. */
export function mergeMetrics(figures: readonly MetricValues[]): Promise<string> {
  return AggregatorRegistry.aggregate([...figures]).metrics();
}
