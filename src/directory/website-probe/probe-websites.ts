import type { Deps, StepContext } from '../../core/context.ts';
import type { EgressPolicy } from '../../core/egress/egress-target.ts';
import { repeat } from '../../core/repeat.ts';
import { checkWebsite, type WebsiteCaller } from './check-website.ts';
import {
  enrolWebsites,
  knownAlive,
  noteFinding,
  takeDue,
  type Finding,
  type ProbeIntervals,
} from './probe-schedule.ts';
import { HOUR_MS } from '../../core/time.ts';

export interface ProbeOptions {
  egress: EgressPolicy;
  /** Minimum duration of a round. In one round each host is requested for one place at most. */
  everyMs: number;
  perRound: number;
  atOnce: number;
  timeoutMs: number;
  intervals: ProbeIntervals;
}

interface ProbeRound {
  checked: number;
  alive: number;
  failed: number;
  unclear: number;
}

type ProbeDeps = Pick<Deps, 'pool' | 'clock' | 'log' | 'config'> & Pick<StepContext, 'inTransaction'>;

const DEFAULTS: Omit<ProbeOptions, 'egress'> = {
  everyMs: 60_000,
  perRound: 60,
  atOnce: 4,
  timeoutMs: 10_000,
  intervals: {
    aliveMs: 30 * 24 * HOUR_MS,
    failedMs: 24 * HOUR_MS,
    deadMs: 7 * 24 * HOUR_MS,
    unclearMs: 7 * 24 * HOUR_MS,
  },
};
/** Pause at the end of the directory before it is scanned again for new websites. */
const ENROL_REST_MS = HOUR_MS;
const CONTROLS = 3;
const LOCK = 'waypost/website-probe';

/** Checks venues' websites for as long as the service runs, on one node at a time. */
export function startWebsiteProbes(
  deps: ProbeDeps,
  options: Partial<ProbeOptions> = {},
): { close(): Promise<void> } {
  const probes = new WebsiteProbes(deps, options);
  return repeat({
    everyMs: options.everyMs ?? DEFAULTS.everyMs,
    log: deps.log,
    failure: 'websites could not be checked',
    round: async (signal) => {
      const done = await probes.round(signal);
      if (done !== undefined && done.checked > 0) deps.log.info(done, 'websites checked');
    },
  });
}

export class WebsiteProbes {
  readonly #deps: ProbeDeps;
  readonly #options: ProbeOptions;
  #enrolAfter = '';
  #enrolAt = 0;

  constructor(deps: ProbeDeps, options: Partial<ProbeOptions> = {}) {
    this.#deps = deps;
    this.#options = { egress: { allow: deps.config.egressAllow }, ...DEFAULTS, ...options };
  }

  /**
   * Runs one round of checks; undefined when another node is running one. The lock belongs to a transaction that writes
   * nothing: it ends with its connection, and the client reports no error for a reserved connection that it cannot
   * open.
   */
  async round(signal: AbortSignal): Promise<ProbeRound | undefined> {
    return this.#deps.inTransaction(async (tx) => {
      const [lock] = await tx<
        { taken: boolean }[]
      >`select pg_try_advisory_xact_lock(hashtext(${LOCK})) as taken`;
      return lock?.taken === true ? this.#check(signal) : undefined;
    });
  }

  async #check(signal: AbortSignal): Promise<ProbeRound> {
    const { pool, clock, config, inTransaction } = this.#deps;
    const { egress, perRound, atOnce, timeoutMs, intervals } = this.#options;
    const userAgent = `${config.prefix}-website-check/1.0 (+${config.baseUrl})`;
    const caller = { egress, userAgent, timeoutMs, signal };
    await this.#enrol();
    const due = await takeDue(pool, clock.now(), perRound);
    const results = await mapConcurrently(due, atOnce, async (item): Promise<Finding> => ({
      due: item,
      ...(await checkWebsite(item.website, caller)),
    }));
    const unclear = (finding: Finding): Finding =>
      finding.result === 'failed' ? { ...finding, result: 'unclear' } : finding;
    const findings = (await this.#isOnline(results, caller)) ? results : results.map(unclear);
    for (const finding of findings)
      await inTransaction((tx) => noteFinding(tx, clock.now(), intervals, finding));
    const count = (result: Finding['result']) =>
      findings.filter((finding) => finding.result === result).length;
    return {
      checked: findings.length,
      alive: count('alive'),
      failed: count('failed'),
      unclear: count('unclear'),
    };
  }

  /** Schedules websites that were never checked, one batch per round. */
  async #enrol(): Promise<void> {
    const now = this.#deps.clock.now();
    if (now.getTime() < this.#enrolAt) return;
    this.#enrolAfter = await enrolWebsites(this.#deps.pool, now, this.#enrolAfter);
    if (this.#enrolAfter === '') this.#enrolAt = now.getTime() + ENROL_REST_MS;
  }

  /** True when a website answers: otherwise an outage of our own name server would close every venue. */
  async #isOnline(results: readonly Finding[], caller: WebsiteCaller): Promise<boolean> {
    const someFailed = results.some(({ result }) => result === 'failed');
    if (!someFailed || results.some(({ result }) => result === 'alive')) return true;
    const checked = results.map(({ due }) => due.place_id);
    for (const website of await knownAlive(this.#deps.pool, checked, CONTROLS))
      if ((await checkWebsite(website, caller)).result === 'alive') return true;
    this.#deps.log.warn(
      { checked: results.length },
      'no website answers; the failures of this round are not counted',
    );
    return false;
  }
}

/** Processes the items with limited concurrency, and returns the results in the order of the items. */
async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
