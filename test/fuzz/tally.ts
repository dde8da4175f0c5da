import type { Exchange } from './perform/exchange.ts';

/** How many answers of each kind came, by surface and role: so that one sees how far requests got. */
export class Tally {
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #places = new Map<string, number>();
  total = 0;

  add({ surface, caller, answer }: Exchange, place: string): void {
    this.total++;
    const row = `${surface.padEnd(24)}${caller.role}`;
    const counts = this.#counts.get(row) ?? new Map<string, number>();
    this.#counts.set(row, counts);
    const outcome = outcomeOf(answer.status, answer.text);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (answer.status < 400 && !outcome.startsWith('refused'))
      this.#places.set(place, (this.#places.get(place) ?? 0) + 1);
  }

  /** How often something was done at each place: an operation, a tool, the forms of a page. */
  get done(): ReadonlyMap<string, number> {
    return this.#places;
  }

  /** All answers of one kind. */
  count(outcome: RegExp): number {
    let sum = 0;
    for (const counts of this.#counts.values())
      for (const [name, count] of counts) if (outcome.test(name)) sum += count;
    return sum;
  }

  lines(): string[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([row, counts]) => {
        const words = [...counts]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([outcome, count]) => `${outcome} ${count}`);
        return `${row.padEnd(42)}${words.join(', ')}`;
      });
  }
}

/** A tool that refuses what it was asked does so with status 200, and says why. */
function outcomeOf(status: number, text: string): string {
  if (status === 200 && text.startsWith('{"jsonrpc"')) {
    const code = /"isError":true/.test(text) ? /"text":"(\w+): /.exec(text)?.[1] : undefined;
    if (code !== undefined) return `refused ${code}`;
    if (/^.{0,200}"error":\{/.test(text)) return 'refused message';
  }
  if (status < 300) return '2xx';
  return status < 400 ? '3xx' : String(status);
}
