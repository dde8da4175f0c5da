import type { Pool } from '../../src/core/postgres/db.ts';
import type { AnswerQuestion } from './questions.ts';
import { statementsIn, type FoundStatement } from './statements-in.ts';

/** An answer as it is sent. */
export interface SentAnswer {
  answer: string;
  outcome: string;
  relaxed: string[];
  understood: Record<string, unknown> & {
    category: string | null;
    cuisine: string | null;
    diet: string | null;
    area: string | null;
    price: string | null;
    dish: string | null;
    open_at: string | null;
    near: unknown;
    not_in_directory: string[];
  };
  places: { place_id: string; name: string }[];
  claims: { place_id: string; field: string; value: unknown; text: string }[];
}

export interface Verdict {
  statements: number;
  faults: string[];
}

const WORD_MIN = 4;

/**
 * Verifies every statement of an answer about the directory against the tables, without any code that answers: by the
 * condition that the author of the question wrote, and by the conditions that the answer says it understood.
 */
export async function verifyAnswer(
  pool: Pool,
  asked: AnswerQuestion,
  sent: SentAnswer,
  language: string,
): Promise<Verdict> {
  const statements = statementsIn(sent.answer, language);
  const faults: string[] = [];
  for (const statement of statements)
    if (await isFalse(pool, asked, sent, statement)) faults.push(`${statement.key} is false`);
  if (asked.isClosed && !statements.some(({ key }) => key === 'closed.place'))
    faults.push('a closed place is not reported as closed');
  if (asked.never !== undefined) {
    const ids = sent.places.map(({ place_id }) => place_id);
    const wrong = await count(pool, asked.destination, `p.id = any($2) and (${asked.never})`, [ids]);
    if (wrong > 0) faults.push('a place that was excluded is named');
  }
  for (const { text } of sent.claims)
    if (!sent.answer.includes(text)) faults.push(`the claim is not in the answer: ${text}`);
  return { statements: statements.length + sent.claims.length, faults };
}

async function isFalse(
  pool: Pool,
  asked: AnswerQuestion,
  sent: SentAnswer,
  { key, values }: FoundStatement,
): Promise<boolean> {
  const { destination } = asked;
  const shown = sent.places.length;
  const exists = async (where: string, ...args: unknown[]) =>
    (await count(pool, destination, where, args)) > 0;
  if (key === 'closed.place') {
    const where = `p.name = $2 and p.closed_at is not null and exists (select 1 from closure_evidence e
      where e.place_id = p.id and to_char(e.observed_at at time zone 'UTC', 'YYYY-MM-DD') = $3)`;
    return !(await exists(
      `${where} or p.name = $2 and p.closed_at is null and false`,
      values['name'],
      values['date'],
    ));
  }
  if (key === 'around.noBoundary' || key === 'area.unknown')
    return hasArea(pool, destination, values['areas'] ?? '', key === 'around.noBoundary');
  if (key === 'plain.unknown' || key === 'landmark.unknown') return isNamed(pool, asked, sent);
  if (key.startsWith('dish.') && key !== 'dish.some') {
    const dish = (sent.understood.dish ?? '').split('|');
    return exists(
      `${OPEN} and (p.cuisine && $2 or p.category = any($2) or p.name ilike any($3))`,
      dish,
      dish.map((one) => `%${one}%`),
    );
  }
  if (key === 'asks.unknown') return isRecorded(pool, asked);
  // How a rating was understood is not in the answer; the author wrote it.
  if (key === 'relaxed.rating' || key === 'relaxed.unrated')
    return asked.where !== undefined && exists(`${OPEN} and (${asked.where})`);
  const hasHours = sent.understood.open_at !== null && !sent.relaxed.includes('time');
  const others = sent.relaxed.filter(
    (one) => key !== `relaxed.${one}` && !(one === 'rating' && key === 'relaxed.unrated'),
  );
  if (key.startsWith('relaxed.') || key === 'plain.noMatch') {
    // Without its hours and its landmark a condition is wider than the sentence, so it proves nothing.
    if (hasHours || key === 'relaxed.time' || sent.understood.near !== null || key === 'relaxed.near')
      return false;
    if (key === 'relaxed.rest') return false;
    const [where, args] = conditionOf(sent, others);
    const hasAuthors =
      asked.where !== undefined &&
      (key === 'plain.noMatch' || (sent.relaxed.length === 1 && sent.understood.area === null));
    return (
      (await exists(`${OPEN} and ${where}`, ...args)) ||
      (hasAuthors && (await exists(`${OPEN} and (${asked.where ?? ''})`)))
    );
  }
  if (key.startsWith('only.') || key.startsWith('more')) {
    if (hasHours || sent.understood.near !== null || asked.where === undefined) return false;
    const total = await count(pool, destination, `${OPEN} and (${asked.where})`, []);
    if (key.startsWith('only.')) return total > shown;
    return key === 'more' ? total !== shown + Number(values['shown']) : total <= Number(values['shown']);
  }
  return false;
}

const OPEN = 'p.closed_at is null';

/** The conditions that an answer says it understood, without those that it dropped. */
function conditionOf({ understood }: SentAnswer, dropped: readonly string[]): [string, unknown[]] {
  const { category, cuisine, diet, area, price } = understood;
  const parts = ['true'];
  const args: unknown[] = [];
  const add = (value: string | null, dropName: string, sql: (at: string) => string) => {
    if (value === null || dropped.includes(dropName)) return;
    args.push(value.split('|'));
    parts.push(sql(`$${args.length + 1}`));
  };
  add(
    category,
    'category',
    (at) =>
      `(p.vertical = any(${at}) or p.category = any(${at}) or p.categories && ${at} or p.cuisine && ${at})`,
  );
  add(cuisine, 'cuisine', (at) => `(p.cuisine && ${at} or p.category = any(${at}))`);
  add(diet, 'diet', (at) => `(p.cuisine && ${at} or p.category = any(${at}) or p.facts->'diets' ?| ${at})`);
  add(area, 'area', (at) => `p.area = any(${at})`);
  add(price, 'price', (at) => `p.price_range = any(${at})`);
  if (typeof understood['rating'] === 'number' && !dropped.includes('rating'))
    parts.push(`p.rating >= ${understood['rating']}`);
  return [parts.join(' and '), args];
}

/** True when an area of this name, in any language, is on the map within the destination. */
async function hasArea(pool: Pool, destination: string, area: string, shaped: boolean): Promise<boolean> {
  const rows = await pool`
    select 1 from area a join destination d on d.slug = ${destination}
    where coalesce(a.north, a.lat) >= d.south and coalesce(a.south, a.lat) <= d.north
      and coalesce(a.east, a.lng) >= d.west and coalesce(a.west, a.lng) <= d.east
      and (not ${shaped} or a.shape is not null)
      and (lower(a.name) = ${area.toLowerCase()}
        or exists (select 1 from jsonb_each_text(a.names) n where lower(n.value) = ${area.toLowerCase()})) limit 1`;
  return rows.length > 0;
}

/** True when a part of the question that the answer calls unknown is the name of a place. */
async function isNamed(
  pool: Pool,
  { destination }: AnswerQuestion,
  { understood }: SentAnswer,
): Promise<boolean> {
  for (const part of understood.not_in_directory)
    if (
      part.length >= WORD_MIN &&
      (await count(pool, destination, `${OPEN} and lower(p.name) = lower($2)`, [part])) > 0
    )
      return true;
  return false;
}

/** Facts that records have about what the topics ask for. */
const FACTS: Readonly<Record<string, string>> = { wifi: 'internet_access', wheelchair: 'wheelchair' };

async function isRecorded(pool: Pool, { topic, destination, question }: AnswerQuestion): Promise<boolean> {
  const fact = FACTS[topic];
  if (
    fact === undefined ||
    !/wifi|wi-fi|wlan|ไวไฟ|roul|roll|wheel|rotelle|ruedas|rodas|rolst|roda|車椅子|รถเข็น/i.test(question)
  )
    return false;
  // Parking is asked beside wifi, and no record has it: the sentence is false only if it names the recorded one.
  return topic !== 'wifi' && (await count(pool, destination, `${OPEN} and p.facts ? $2`, [fact])) > 0;
}

async function count(pool: Pool, destination: string, where: string, args: unknown[]): Promise<number> {
  const [row] = await pool.unsafe<{ count: number }[]>(
    `select count(*)::int as count from place p join destination d on d.id = p.destination_id where d.slug = $1 and (${where})`,
    [destination, ...args] as never[],
  );
  return row?.count ?? 0;
}
