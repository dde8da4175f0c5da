import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

declare module './context.ts' {
  interface Deps {
    metrics: Metrics;
  }
}

/** What a node tells about itself in Prometheus form. Labels are routes, never addresses, so their number is bounded. */
export class Metrics {
  readonly registry = new Registry();
  readonly requestSeconds: Histogram<'route' | 'method' | 'status'>;
  readonly toolCalls: Counter<'surface' | 'tool' | 'outcome'>;

  readonly #byRequest = new Map<string, Histogram.Internal<'route' | 'method' | 'status'>>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.requestSeconds = new Histogram({
      name: 'waypost_http_request_seconds',
      help: 'Time from the first byte of a request to the last byte of its answer.',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.toolCalls = new Counter({
      name: 'waypost_tool_calls_total',
      help: 'MCP tool calls by surface, tool and outcome.',
      labelNames: ['surface', 'tool', 'outcome'],
      registers: [this.registry],
    });
  }

  /** Finding the counter by its labels costs more than counting, so it is found once. */
  observeRequest(route: string, method: string, status: number, seconds: number): void {
    const name = `${method} ${route} ${status}`;
    let counter = this.#byRequest.get(name);
    if (counter === undefined) {
      counter = this.requestSeconds.labels({ route, method, status: String(status) });
      this.#byRequest.set(name, counter);
    }
    counter.observe(seconds);
  }
}
