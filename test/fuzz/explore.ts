import fc from 'fast-check';
import { checkExchange, placeOf } from './checks/check-exchange.ts';
import { fault, type Fault } from './checks/fault.ts';
import { logFaults } from './checks/log-lines.ts';
import type { Exchange } from './perform/exchange.ts';
import { perform } from './perform/perform.ts';
import type { Plan } from './requests/plan.ts';
import { plans } from './requests/plans.ts';
import { requestWords } from './send.ts';
import { Tally } from './tally.ts';
import { keepUp } from './world/keep-up.ts';
import type { World } from './world/world.ts';

export interface Failure extends Fault {
  /** With this seed the same requests are made again. */
  seed: number | undefined;
  /** The last of the shortest requests that show it, and its answer. */
  words: string;
  times: number;
}

interface Options {
  /** How many requests are made, and a few more. */
  requests: number;
  seed: number;
  note: (line: string) => void;
  /** Ends the search early. */
  signal?: AbortSignal;
}

const AT_ONCE = 12;
const NOTE_EVERY_MS = 10_000;
/** How many tries it may take to make a plan simpler. */
const SHRINKS_MAX = 60;
/** After this many plans a minute passes, and accounts that lost their credentials get new ones. */
const KEEP_UP_EVERY = 150;

/** Makes random requests, checks every answer, and makes what fails as simple as it gets. */
export async function explore(
  world: World,
  { requests, seed, note, signal }: Options,
): Promise<{ failures: Failure[]; tally: Tally }> {
  const tally = new Tally();
  const failures = new Map<string, Failure>();
  const all = plans(world);
  const began = performance.now();
  let noted = began;
  let next = 0;
  let upkeep = Promise.resolve();
  const lookAtLog = () => {
    for (const found of logFaults(world)) report(found, undefined, '');
  };
  const report = (found: Fault, planSeed: number | undefined, words: string) => {
    const known = failures.get(found.sign);
    if (known !== undefined) {
      known.times++;
      return;
    }
    failures.set(found.sign, { ...found, seed: planSeed, words, times: 1 });
    note(
      `FAULT ${found.sign}\n  ${found.detail.replaceAll('\n', '\n  ')}\n  ${words.replaceAll('\n', '\n  ')}\n  --seed ${planSeed ?? seed} --runs 1`,
    );
  };
  const work = async () => {
    while (tally.total < requests && signal?.aborted !== true) {
      const planSeed = seed + next++;
      if (next % KEEP_UP_EVERY === 0) {
        upkeep = upkeep.then(() => keepUp(world)).then(lookAtLog);
        await upkeep;
      }
      await tryOne(world, all, planSeed, tally, failures, report);
      const now = performance.now();
      if (now - noted > NOTE_EVERY_MS) {
        noted = now;
        note(
          `${tally.total} requests, ${(tally.total / ((now - began) / 1000)).toFixed(0)} a second, ${failures.size} faults`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests) }, work));
  await keepUp(world);
  lookAtLog();
  return { failures: [...failures.values()], tally };
}

/** Tries one plan. A fault that nobody has seen yet is looked for in simpler plans. */
async function tryOne(
  world: World,
  all: fc.Arbitrary<Plan>,
  seed: number,
  tally: Tally,
  known: ReadonlyMap<string, Failure>,
  report: (found: Fault, seed: number, words: string) => void,
): Promise<void> {
  let first: string | undefined;
  let last: { found: Fault; words: string } | undefined;
  let tries = 0;
  const property = fc.asyncProperty(all, async (plan) => {
    if (tries++ > SHRINKS_MAX) return true;
    const seen = await facts(world, plan, tally);
    const fresh = seen.filter(({ found }) =>
      first === undefined ? !known.has(found.sign) : found.sign === first,
    );
    for (const { found, words } of seen)
      if (first === undefined && known.has(found.sign)) report(found, seed, words);
    const [one] = fresh;
    if (one === undefined) return true;
    first = one.found.sign;
    last = one;
    return false;
  });
  const { failed, errorInstance } = await fc.check(property, { seed, numRuns: 1, endOnFailure: false });
  if (last !== undefined) report(last.found, seed, last.words);
  else if (failed) throw errorInstance;
}

async function facts(world: World, plan: Plan, tally: Tally): Promise<{ found: Fault; words: string }[]> {
  let exchanges: Exchange[];
  try {
    exchanges = await perform(world, plan);
  } catch (thrown) {
    const found = fault('no answer', plan.kind, String((thrown as Error).stack));
    return [{ found, words: JSON.stringify(plan).slice(0, 1_500) }];
  }
  const seen: { found: Fault; words: string }[] = [];
  for (const exchange of exchanges) {
    const { request, answer } = exchange;
    tally.add(exchange, placeOf(exchange));
    for (const found of await checkExchange(world, exchange))
      seen.push({
        found,
        words: `${requestWords(request)}\n→ ${answer.status} ${answer.text.slice(0, 400)}`,
      });
    world.learn(exchange);
  }
  return seen;
}
