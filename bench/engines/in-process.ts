import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { create, insertMultiple, search } from '@orama/orama';
import MiniSearch from 'minisearch';
import { privateMb } from '../measure.ts';
import { askAll, type Doc, type Engine, LIMIT, type Query, type Run } from './engine.ts';

// Runs one engine in its own process, to measure its memory. Arguments: name, file of documents and searches, folder.
const [, , name = '', file = '', folder = ''] = process.argv;
const given = JSON.parse(readFileSync(file, 'utf8')) as { docs: Doc[]; judged: Query[]; drawn: Query[] };
const before = privateMb(process.pid);
const startedAt = performance.now();
const engine = await build(given.docs);
const build_seconds = (performance.now() - startedAt) / 1000;
const { found, ms } = await askAll(engine, given.judged, given.drawn);
const isFile = name === 'sqlite';
const run: Run = {
  ...{ found, ms, build_seconds },
  size_mb: isFile ? statSync(`${folder}/fts5.sqlite`).size / 2 ** 20 : privateMb(process.pid) - before,
  size_of: isFile ? 'file' : 'memory',
};
process.stdout.write(JSON.stringify(run));

function build(docs: readonly Doc[]): Engine | Promise<Engine> {
  if (name === 'sqlite') return buildSqlite(docs);
  return name === 'minisearch' ? buildMiniSearch(docs) : buildOrama(docs);
}

/** FTS5 with bm25: all words, the last one may be unfinished; any of them where all find nothing. */
function buildSqlite(docs: readonly Doc[]): Engine {
  const db = new DatabaseSync(`${folder}/fts5.sqlite`);
  db.exec(`create virtual table place using fts5(name, other_names, kinds, area, destination,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'); begin`);
  const insert = db.prepare(
    'insert into place (rowid, name, other_names, kinds, area, destination) values (?, ?, ?, ?, ?, ?)',
  );
  for (const doc of docs)
    insert.run(doc.id, doc.name, doc.other_names, doc.kinds, doc.area, termOf(doc.destination));
  db.exec("commit; insert into place (place) values ('optimize')");
  const find = db.prepare(
    `select rowid as id from place where place match ? order by bm25(place, 10, 6, 4, 2, 0) limit ${LIMIT}`,
  );
  const ask = (words: readonly string[], join: string, destination: string | undefined) => {
    const all = words.map((word, i) => `"${word}"${i === words.length - 1 ? '*' : ''}`).join(join);
    const text = `{name other_names kinds area}: (${all})`;
    const rows = find.all(
      destination === undefined ? text : `destination: ${termOf(destination)} AND ${text}`,
    );
    return rows.map(({ id }) => Number(id));
  };
  return {
    search: ({ words, destination }) => {
      const found = ask(words, ' AND ', destination);
      return found.length > 0 ? found : ask(words, ' OR ', destination);
    },
  };
}

function termOf(destination: string): string {
  return destination.replaceAll('-', '');
}

/** As its guide shows it: unfinished and misspelt words, all of them where that finds something. */
function buildMiniSearch(docs: readonly Doc[]): Engine {
  const fields = ['name', 'other_names', 'kinds', 'area'];
  const index = new MiniSearch<Doc>({
    fields,
    storeFields: ['destination'],
    tokenize: (text) => text.split(' '),
  });
  index.addAll(docs);
  const options = {
    boost: { name: 4, other_names: 3, kinds: 2 },
    prefix: (_term: string, i: number, terms: string[]) => i === terms.length - 1,
    fuzzy: (term: string) => (term.length > 3 ? 0.2 : false),
  };
  return {
    search: ({ words, destination }) => {
      const filter = ({ destination: of }: Record<string, unknown>) =>
        destination === undefined || of === destination;
      const ask = (combineWith: 'AND' | 'OR') =>
        index.search(words.join(' '), { ...options, filter, combineWith }).slice(0, LIMIT);
      const found = ask('AND');
      return (found.length > 0 ? found : ask('OR')).map(({ id }) => id as number);
    },
  };
}

/**
 * All words must stand in one field for it, so that it gets one that holds everything. First as they are typed, then with
 * one letter of tolerance, then any of them.
 */
async function buildOrama(docs: readonly Doc[]): Promise<Engine> {
  const schema = {
    name: 'string',
    other_names: 'string',
    kinds: 'string',
    all: 'string',
    destination: 'enum',
  } as const;
  const tokenize = (raw: string) => [...new Set(raw.split(' '))];
  const db = create({
    schema,
    components: { tokenizer: { language: 'english', normalizationCache: new Map(), tokenize } },
  });
  const texts = docs.map(({ id, rank: _rank, area, ...text }) => ({
    ...{ id: String(id), ...text },
    all: [text.name, text.other_names, text.kinds, area].join(' '),
  }));
  await insertMultiple(db, texts, 5_000);
  const properties: ('name' | 'other_names' | 'kinds' | 'all')[] = ['name', 'other_names', 'kinds', 'all'];
  const ask = async ({ words, destination }: Query, tolerance: number, threshold: number) => {
    const asked = {
      ...{ term: words.join(' '), properties, tolerance, threshold, limit: LIMIT },
      boost: { name: 4, other_names: 3, kinds: 2 },
      ...(destination === undefined ? {} : { where: { destination: { eq: destination } } }),
    };
    const { hits } = await search(db, asked);
    return hits.map(({ id }) => Number(id));
  };
  return {
    search: async (query) => {
      let found = await ask(query, 0, 0);
      if (found.length === 0) found = await ask(query, 1, 0);
      return found.length > 0 ? found : ask(query, 1, 1);
    },
  };
}
