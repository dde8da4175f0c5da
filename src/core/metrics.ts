import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from './postgres/connections/connections.ts';

declare module './context.ts' {
  interface Deps {
    metrics: Metrics;
  }
}

const REQUEST_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Prometheus metrics of a node. Labels are routes, never addresses, so their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly requests: Histogram<'route' | 'method' | 'status'>;
  /** Called before request times are collected, to add those that are still buffered. */
  flushRequests: () => void = () => undefined;
  readonly toolCalls: Counter<'surface' | 'tool' | 'outcome'>;
  readonly #pools = new Map<string, () => PoolUse>();
  /** All metrics of this node. In a node of several processes, the main process provides them. */
  text: () => Promise<string> = () => this.registry.metrics();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    const flush = () => {
      this.flushRequests();
    };
    this.requests = new Histogram({
      name: 'waypost_http_request_seconds',
      help: 'Time from the first byte of a request until its answer was passed to the network.',
      labelNames: ['route', 'method', 'status'],
      buckets: REQUEST_BUCKETS,
      registers: [this.registry],
      collect: flush,
    });
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
