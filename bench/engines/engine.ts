/** A place as every engine gets it: folded words, scripts without spaces cut into pairs, names in Latin letters too. */
export interface Doc {
  id: number;
  destination: string;
  name: string;
  other_names: string;
  kinds: string;
  area: string;
  rank: number;
}

/** A search as every engine gets it: folded words, and the destination as a filter where one is named. */
export interface Query {
  words: string[];
  destination: string | undefined;
}

/** The results of one engine for the judged searches, and how long each of the drawn searches took. */
export interface Run {
  /** The first three of each judged search. */
  found: number[][];
  ms: number[];
  build_seconds: number;
  size_mb: number;
  /** The thing that `size_mb` measures. */
  size_of: string;
}

export interface Engine {
  search(query: Query): number[] | Promise<number[]>;
}

export const FIRST = 3;
export const LIMIT = 20;

/** Asks the judged searches, which also warm the engine, and then each of the drawn ones once with a clock. */
export async function askAll(engine: Engine, judged: readonly Query[], drawn: readonly Query[]) {
  const found: number[][] = [];
  for (const query of judged) found.push((await engine.search(query)).slice(0, FIRST));
  const ms: number[] = [];
  for (const query of drawn) {
    const startedAt = performance.now();
    await engine.search(query);
    ms.push(performance.now() - startedAt);
  }
  return { found, ms };
}
