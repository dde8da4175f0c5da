import { z } from 'zod';
import { closedSet } from '../../core/input/closed-set.ts';
import type { Db } from '../../core/postgres/db.ts';

const sourceSet = closedSet('TableTermSource', {
  venue: 'The venue stated it in its own area.',
  venue_system: "The venue's own booking system stated it for a table.",
});

const perSet = closedSet('TableTermPer', { person: 'For each guest.', table: 'For the whole table.' });

const dressSet = closedSet('DressCode', {
  none: 'Guests come as they like.',
  smart_casual: 'Neat everyday clothes.',
  formal: 'Formal clothes, such as a jacket.',
});

/** A sum in the smallest unit of its currency. */
export interface Money {
  amount_minor: number;
  currency: string;
  per: (typeof perSet.values)[number];
}

const money = z.object({
  amount_minor: z.int().min(0).max(999_999_999).describe('In the smallest unit of the currency; 0: none.'),
  currency: z.string().describe('ISO 4217 code.'),
  per: perSet.schema,
});

const whole = (min: number, max: number) => z.int().min(min).max(max);

/**
 * All terms: the check of a value and the description in the API come from here. The message `terms.NAME` is the
 * sentence for people; the database holds the same forms (`table_term_value_form`).
 */
export const TABLE_TERMS = {
  deposit: { value: money, means: 'Paid to the venue before the visit.' },
  minimum_spend: { value: money, means: 'The least that guests spend.' },
  service_charge_pct: { value: whole(0, 50), means: 'Added to the bill, in per cent; 0: none.' },
  cancellation_hours: { value: whole(1, 720), means: 'Cancel at least so many hours before the table.' },
  hold_minutes: { value: whole(1, 240), means: 'The table is held for late guests for so many minutes.' },
  children_from_age: {
    value: whole(0, 18),
    means: 'Children are welcome from this age; 0: all ages, 18: adults only.',
  },
  dress_code: { value: dressSet.schema, means: 'How guests dress.' },
} as const satisfies Readonly<Record<string, { value: z.ZodType; means: string }>>;

export type TermName = keyof typeof TABLE_TERMS;
export const TERM_NAMES = Object.keys(TABLE_TERMS) as TermName[];
export const DRESS_CODES = dressSet.values;

type TermValue<Name extends TermName> = z.output<(typeof TABLE_TERMS)[Name]['value']>;

/** The stated values of some terms. */
export type TermValues = { [Name in TermName]?: TermValue<Name> };

interface Stated<Value> {
  value: Value;
  source: (typeof sourceSet.values)[number];
  stated_at: string;
}

/** The terms of a place or a booking that somebody stated. The others are unknown. */
export type StatedTerms = { [Name in TermName]?: Stated<TermValue<Name>> };

/** Stated terms, or an answer with them. */
export type KnownTerms = { [Name in TermName]?: Stated<TermValue<Name>> | null | undefined };

function termSchema<Name extends TermName>(name: Name) {
  const { value, means } = TABLE_TERMS[name];
  return z
    .object({
      value: value as unknown as z.ZodType<TermValue<Name>, TermValue<Name>>,
      source: sourceSet.schema,
      stated_at: z.string(),
    })
    .nullable()
    .describe(`${means} null: unknown.`);
}

type TermSchemas = { [Name in TermName]: ReturnType<typeof termSchema<Name>> };

export const tableTermsSchema = z
  .object(Object.fromEntries(TERM_NAMES.map((name) => [name, termSchema(name)])) as unknown as TermSchemas)
  .describe(
    'What the venue requires, with source and day; tell the guest before you ask. It is never guessed.',
  );

type TermsAnswer = z.output<typeof tableTermsSchema>;

/** The terms as answers give them: an unknown one is null. */
export function termsAnswer(terms: StatedTerms): TermsAnswer {
  return Object.fromEntries(TERM_NAMES.map((name) => [name, terms[name] ?? null])) as TermsAnswer;
}

export async function readTerms(db: Db, placeId: string): Promise<StatedTerms> {
  const [row] = await db<{ terms: StatedTerms }[]>`select table_terms_of(${placeId}) as terms`;
  return row?.terms ?? {};
}

/** Replaces what the venue itself stated. */
export async function setVenueTerms(tx: Db, now: Date, placeId: string, values: TermValues): Promise<void> {
  await tx`delete from table_term where place_id = ${placeId} and source = 'venue'`;
  await storeTerms(tx, now, { placeId, source: 'venue', values });
}

/** Stores what the venue's system stated, over what it stated before. */
export function noteSystemTerms(tx: Db, now: Date, placeId: string, values: TermValues): Promise<void> {
  return storeTerms(tx, now, { placeId, source: 'venue_system', values });
}

async function storeTerms(
  tx: Db,
  now: Date,
  { placeId, source, values }: { placeId: string; source: Stated<unknown>['source']; values: TermValues },
): Promise<void> {
  for (const name of TERM_NAMES)
    if (values[name] !== undefined)
      await tx`
        insert into table_term (place_id, term, source, value, stated_at)
        select id, ${name}, ${source}, ${JSON.stringify(values[name])}::text::jsonb, ${now} from place where id = ${placeId}
        on conflict (place_id, term, source) do update set value = excluded.value, stated_at = excluded.stated_at`;
}
