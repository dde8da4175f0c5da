import type { Metric, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

const NAME = 'waypost_http_request_seconds';
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The requests of one route, method and status: the number in each bucket, and their total time. */
class Series {
  readonly labels: Record<string, string>;
  readonly counts = new Float64Array(BUCKETS.length + 1);
  sum = 0;

  constructor(route: string, method: string, status: number) {
    this.labels = { route, method, status: String(status) };
  }
}

/** Request times as a Prometheus histogram, by hand, because the library's costs as much as an answer. */
export class RequestTimes {
  readonly #series = new Map<string, Map<string, Series>[]>();
  /** Called before collection, to flush requests that are still buffered. */
  beforeCollecting: () => void = () => undefined;

  register(registry: Registry): void {
    const metric = { name: NAME, get: () => Promise.resolve(this.#collect()) };
    registry.registerMetric(metric as unknown as Metric);
  }

  observe(route: string, method: string, status: number, seconds: number): void {
    const series = this.#find(route, method, status);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  #find(route: string, method: string, status: number): Series {
    let byStatus = this.#series.get(route);
    if (byStatus === undefined) this.#series.set(route, (byStatus = []));
    const byMethod = (byStatus[status] ??= new Map<string, Series>());
    let series = byMethod.get(method);
    if (series === undefined) byMethod.set(method, (series = new Series(route, method, status)));
    return series;
  }

  #collect(): Partial<MetricObjectWithValues<MetricValue<string>>> {
    this.beforeCollecting();
    const values: object[] = [];
    for (const { labels, counts, sum } of this.#all()) {
      let count = 0;
      for (const [at, inBucket] of counts.entries()) {
        count += inBucket;
        const le = BUCKETS[at] ?? '+Inf';
        values.push({ metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: count });
      }
      values.push({ metricName: `${NAME}_sum`, labels, value: sum });
      values.push({ metricName: `${NAME}_count`, labels, value: count });
    }
    return {
      name: NAME,
      help: 'Time from the first byte of a request until its answer was passed to the network.',
      type: 'histogram' as never,
      aggregator: 'sum',
      values: values as never,
    };
  }

  #all(): Series[] {
    return [...this.#series.values()].flatMap((byStatus) =>
      Object.values(byStatus).flatMap((byMethod) => [...byMethod.values()]),
    );
  }
}
