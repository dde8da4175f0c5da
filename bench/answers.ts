import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openEmbeddedPostgres } from '../src/core/embedded/embedded-postgres.ts';
import { connect, type Pool } from '../src/core/postgres/db.ts';
import { readAnswerQuestions, type AnswerQuestion } from './answers/questions.ts';
import { languageOfAnswer } from './answers/statements-in.ts';
import { verifyAnswer, type SentAnswer } from './answers/verify-answer.ts';
import { importExtracts, readPlaces, whenFollowed } from './judged/directory.ts';
import { EXTRACTS, extractFile } from './judged/map-objects.ts';
import { writeResults } from './results.ts';
import { Bench, say, turns } from './search/bench.ts';

// 300 questions in ten languages over real extracts. Every statement about the directory in the answers is verified by
// SQL. BENCH_DATA_DIR keeps the imported directory for the next run.
//   npm run bench:answers [-- FILE]   FILE receives every answer with its faults
const KEYS = 40;
const AGENT = 'WaypostBench/1.0 (+https://example.com/bench)';
const EVIDENCE_AT = '2026-03-05T10:00:00Z';

const missing = EXTRACTS.filter((extract) => !existsSync(extractFile(extract)));
if (missing.length > 0) say(`Skipped: there is no real data in ../shared/data (${missing.join(', ')}).`);
else await Bench.with(run);

async function run(bench: Bench): Promise<void> {
  const dataDir = process.env['BENCH_DATA_DIR'] ?? join(bench.folder, 'data');
  const keys = join(bench.folder, 'partner-keys');
  const countFile = join(dataDir, 'bench-places');
  const imported = existsSync(countFile) ? await readFile(countFile, 'utf8') : '0';
  const server = await bench.start('waypost', {
    ...{ DATA_DIR: dataDir, DEMO: 'off', BENCH_PLACES: imported },
    ...{ BENCH_KEY_COUNT: String(KEYS), BENCH_PARTNER_KEYS: keys },
  });
  const key = turns((await readFile(keys, 'utf8')).split('\n'));
  if (imported === '0') {
    say('Importing the extracts into the running service …');
    await importExtracts(dataDir);
  }
  const database = await openEmbeddedPostgres({ dataDir, role: 'tool', note: () => undefined });
  const pool = connect(database.url, { max: 1, statementTimeoutMs: 0 });
  try {
    const closed = await closePlaces(pool);
    const places = await readPlaces(pool);
    await writeFile(countFile, String(places.length));
    await whenFollowed(server.port, places.filter(({ open }) => open).length);
    await askAll(pool, readAnswerQuestions(closed), (asked) => ask(server.port, key(), asked));
  } finally {
    await pool.end();
    await database.release();
  }
}

/** Closes one restaurant of Monaco and one café of Helsinki, whose names no other place has. */
async function closePlaces(pool: Pool): Promise<Map<string, string>> {
  const closed = new Map<string, string>();
  for (const [slug, vertical] of [
    ['monaco', 'restaurant'],
    ['helsinki', 'cafe'],
  ] as const) {
    const [place] = await pool<{ id: string; name: string }[]>`
      select p.id, p.name from place p join destination d on d.id = p.destination_id
      where d.slug = ${slug} and p.vertical = ${vertical} and p.name ~ '^[A-Z][a-z]+ [A-Z][a-z]+$'
        and (select count(*) from place o where lower(o.name) = lower(p.name)) = 1
      order by p.source_ref limit 1`;
    if (place === undefined) throw new Error(`No ${vertical} of ${slug} can be closed.`);
    await pool`
      insert into closure_evidence (place_id, kind, source_url, note, observed_at)
      values (${place.id}, 'published_report', 'https://news.example/closed', 'An article.', ${EVIDENCE_AT})
      on conflict do nothing`;
    await pool`update place set closed_at = ${EVIDENCE_AT} where id = ${place.id} and closed_at is null`;
    closed.set(slug, place.name);
  }
  return closed;
}

async function ask(
  port: number,
  key: string,
  { destination, question }: AnswerQuestion,
): Promise<SentAnswer> {
  const params = { name: 'concierge_answer', arguments: { destination, question } };
  const response = await fetch(`http://127.0.0.1:${port}/api/partner/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': AGENT, 'x-partner-key': key },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const body = (await response.json()) as { result?: { structuredContent?: SentAnswer } };
  const sent = body.result?.structuredContent;
  if (sent === undefined) throw new Error(`${question}: ${JSON.stringify(body)}`);
  return sent;
}

async function askAll(
  pool: Pool,
  questions: readonly AnswerQuestion[],
  answer: (asked: AnswerQuestion) => Promise<SentAnswer>,
): Promise<void> {
  const lines: string[] = [];
  let statements = 0;
  let inLanguage = 0;
  const wrong: string[] = [];
  for (const asked of questions) {
    const sent = await answer(asked);
    const language = languageOfAnswer(sent.answer);
    const verdict = await verifyAnswer(pool, asked, sent, language);
    statements += verdict.statements;
    if (language === asked.language) inLanguage++;
    if (verdict.faults.length > 0) wrong.push(asked.question);
    const { topic, question } = asked;
    lines.push(
      JSON.stringify({
        topic,
        language: [asked.language, language],
        question,
        faults: verdict.faults,
        answer: sent.answer,
        understood: sent.understood,
        relaxed: sent.relaxed,
      }),
    );
  }
  const table = [
    '| | |',
    '|---|---:|',
    `| questions, in ten languages | ${questions.length} |`,
    `| statements verified by SQL | ${statements} |`,
    `| answers with a false statement (bar: 0) | ${wrong.length} |`,
    `| answers in the language of the question | ${inLanguage} |`,
  ];
  for (const line of table) say(line);
  for (const question of wrong) say(`false: ${question}`);
  writeResults('Answers to travellers', table);
  if (process.argv[2] !== undefined) await writeFile(process.argv[2], `${lines.join('\n')}\n`);
}
