/** The result for one kind of write. Each fault is a line that names its subject. */
export interface Finding {
  what: string;
  acknowledged: number;
  lost: string[];
  doubled: string[];
}

export function finding(what: string, acknowledged: number, faults: Partial<Finding> = {}): Finding {
  return { what, acknowledged, lost: [], doubled: [], ...faults };
}

/** Rows by one of their members, which is unique. */
export function byId<Row>(rows: readonly Row[], idOf: (row: Row) => string): Map<string, Row> {
  return new Map(rows.map((row) => [idOf(row), row]));
}

/** Names that occur more than once. */
export function repeated(names: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).map(([name, count]) => `${name}, ${count} times`);
}
