/** Joins the ways of an outline end to end where possible, so that rings mapped in pieces become complete. */
export function joinRings(ways: readonly (readonly number[])[]): number[][] {
  const open: number[][] = [];
  const done: number[][] = [];
  for (const way of ways) {
    if (way.length === 0) continue;
    if (way[0] === way.at(-1)) done.push([...way]);
    else open.push([...way]);
  }
  const ends = new Map<number, Set<number[]>>();
  for (const line of open) register(ends, line);
  for (const line of open) {
    if (ends.get(line[0] ?? 0)?.has(line) !== true) continue;
    unregister(ends, line);
    done.push(grow(ends, line));
  }
  return done;
}

function endsOf(line: readonly number[]): [number, number] {
  return [line[0] ?? 0, line.at(-1) ?? 0];
}

function register(ends: Map<number, Set<number[]>>, line: number[]): void {
  for (const end of endsOf(line)) {
    const lines = ends.get(end) ?? new Set();
    ends.set(end, lines.add(line));
  }
}

function unregister(ends: Map<number, Set<number[]>>, line: number[]): void {
  for (const end of endsOf(line)) ends.get(end)?.delete(line);
}

function grow(ends: Map<number, Set<number[]>>, start: number[]): number[] {
  const ring = [...start];
  while (ring[0] !== ring.at(-1)) {
    const tail = ring.at(-1) ?? 0;
    const [next] = ends.get(tail) ?? [];
    if (next === undefined) break;
    unregister(ends, next);
    const onward = next[0] === tail ? next : next.toReversed();
    for (let at = 1; at < onward.length; at++) ring.push(onward[at] ?? 0);
  }
  return ring;
}
