import { collectDefaultMetrics, Counter, Registry } from 'prom-client';
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
}
