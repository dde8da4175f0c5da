/** Fields of an Overture place that are read. All are optional, because releases differ. */
export interface OvertureRow {
  id?: string | null;
  geometry?: unknown;
  names?: { primary?: string | null; common?: unknown } | null;
  categories?: { primary?: string | null; alternate?: (string | null)[] | null } | null;
  taxonomy?: {
    primary?: string | null;
    hierarchy?: (string | null)[] | null;
    alternates?: (string | null)[] | null;
  } | null;
  confidence?: number | null;
  websites?: (string | null)[] | null;
  emails?: (string | null)[] | null;
  phones?: (string | null)[] | null;
  addresses?: (OvertureAddress | null)[] | null;
  operating_status?: string | null;
  brand?: { wikidata?: string | null; names?: { primary?: string | null } | null } | null;
  sources?: ({ update_time?: string | Date | null } | null)[] | null;
}

export interface OvertureAddress {
  freeform?: string | null;
  locality?: string | null;
  postcode?: string | null;
  region?: string | null;
  country?: string | null;
}

/** Returns the texts of a list that may be missing or contain nulls. */
export function textsIn(list: readonly (string | null)[] | null | undefined): string[] {
  return (list ?? []).filter((text) => text !== null).filter((text) => text.trim() !== '');
}

/** Returns the entries of a map column, which is an object or a list of entries depending on the reader's version. */
export function entriesIn(map: unknown): [string, string][] {
  const pairs: [unknown, unknown][] = [];
  if (Array.isArray(map)) {
    for (const entry of map as ({ key?: unknown; value?: unknown } | null)[])
      pairs.push([entry?.key, entry?.value]);
  } else if (typeof map === 'object' && map !== null) pairs.push(...Object.entries(map));
  return pairs.filter(
    (pair): pair is [string, string] => typeof pair[0] === 'string' && typeof pair[1] === 'string',
  );
}
