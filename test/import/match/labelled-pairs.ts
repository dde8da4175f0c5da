import { createHash } from 'node:crypto';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { MatchRecord } from '../../../src/import/match/match-record.ts';
import { h3Position } from './h3-position.ts';

export interface LabelledPair {
  readonly a: MatchRecord;
  readonly b: MatchRecord;
  readonly same: boolean;
  /** True for the third of the pairs that no weight was fitted on. */
  readonly heldOut: boolean;
}

interface OvertureNames {
  readonly primary: string;
  readonly common?: Readonly<Record<string, string>> | null;
}

interface OvertureCategories {
  readonly primary?: string;
  readonly alternate?: readonly string[];
}

interface OvertureAddress {
  readonly freeform?: string;
  readonly locality?: string;
  readonly postcode?: string;
}

type Row = Record<string, unknown>;

/** The pairs that people labelled as the same place or not, split by a hash that depends on nothing else. */
export async function readLabelledPairs(file: string): Promise<LabelledPair[]> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
  return rows.map((row) => {
    const ids = `${text(row['id'])} ${text(row['base_id'])}`;
    return {
      a: recordOf(row, ''),
      b: recordOf(row, 'base_'),
      same: row['label'] === 1,
      heldOut: createHash('sha256').update(ids).digest().readUInt8(0) < 85,
    };
  });
}

function recordOf(row: Row, prefix: string): MatchRecord {
  const names = json(row, `${prefix}names`) as OvertureNames | null;
  const categories = json(row, `${prefix}categories`) as OvertureCategories | null;
  const address = (json(row, `${prefix}addresses`) as OvertureAddress[] | null)?.[0];
  return {
    names: present([names?.primary, ...Object.values(names?.common ?? {})]),
    phones: present((json(row, `${prefix}phones`) as string[] | null) ?? []),
    websites: present((json(row, `${prefix}websites`) as string[] | null) ?? []),
    street: address?.freeform ?? null,
    postcode: address?.postcode ?? null,
    city: address?.locality ?? null,
    // One of the sources gives a category as a path: "Retail > Pharmacy".
    categories: present([categories?.primary, ...(categories?.alternate ?? [])]).map(
      (path) => path.split(' > ').at(-1) ?? path,
    ),
    ...h3Position(text(row[`${prefix}id`])),
  };
}

function json(row: Row, column: string): unknown {
  const value = row[column];
  return typeof value === 'string' ? JSON.parse(value) : null;
}

function present(values: readonly (string | null | undefined)[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
