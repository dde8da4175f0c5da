import { AggregatorRegistry, collectDefaultMetrics, Counter, Registry } from 'prom-client';
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
