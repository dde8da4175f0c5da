import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { osmiumFilter } from '../../test/import/osmium-filter.ts';

export interface CountedPlace {
  source_ref: string;
  categories: string[];
}

interface Compared {
  categories: number;
  equal: number;
  /** A line for every category that differs, with the objects and why. */
  explained: string[];
}

const KINDS: Readonly<Record<string, string>> = { n: 'node', w: 'way', r: 'relation' };

/** Counts what was imported by category, and has osmium count the same file by the same rules. */
export function differences(file: string, places: readonly CountedPlace[], folder: string): Compared {
  const named = join(folder, 'named.osm.pbf');
  osmium('tags-filter', '-R', '-O', '-o', named, file, 'nwr/name', 'nwr/name:*');
  const ours = new Map<string, Set<string>>();
  for (const { source_ref, categories } of places)
    for (const category of categories) ours.set(category, (ours.get(category) ?? new Set()).add(source_ref));
  const held = new Set(places.map(({ source_ref }) => source_ref));
  const tags = objectsOf(osmium('cat', '-f', 'opl', '-o', '-', named));
  const explained: string[] = [];
  for (const [category, refs] of [...ours].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const theirs = objectsOf(
      osmium('tags-filter', '-R', '-f', 'opl', '-o', '-', named, ...osmiumFilter(category)),
    );
    const differing = [
      ...[...refs].filter((ref) => !theirs.has(ref)),
      ...[...theirs.keys()].filter((ref) => !refs.has(ref)),
    ];
    if (differing.length === 0) continue;
    const reasons = differing.map((ref) => `${ref} ${reasonFor(tags.get(ref) ?? '', held.has(ref))}`);
    explained.push(`\`${category}\`: ${refs.size} here, ${theirs.size} there: ${reasons.join('; ')}`);
  }
  return { categories: ours.size, equal: ours.size - explained.length, explained };
}

function osmium(...args: string[]): string {
  return execFileSync('osmium', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** The objects of osmium's line format, by their reference, with their tags. */
function objectsOf(lines: string): Map<string, string> {
  const objects = new Map<string, string>();
  for (const line of lines.split('\n')) {
    const [id = '', ...fields] = line.split(' ');
    const kind = KINDS[id.charAt(0)];
    if (kind !== undefined)
      objects.set(`${kind}/${id.slice(1)}`, fields.find((field) => field.startsWith('T')) ?? '');
  }
  return objects;
}

function reasonFor(tags: string, isHeld: boolean): string {
  if (/[T,](disused|abandoned)=yes/.test(tags))
    return 'is marked as disused: held as closed, counted by osmium';
  if (!isHeld) return 'lies in no destination: left out here, counted by osmium';
  if (tags.includes(';')) return 'has two values in one tag: osmium compares whole values';
  return 'differs for a reason that is not known';
}
