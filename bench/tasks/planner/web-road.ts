import type { Host, Seen } from '../host.ts';
import type { Outcome, Said, Task } from '../task.ts';
import { conceptOf } from './concepts.ts';
import { hasRemedy } from './read-result.ts';
import { wordsOf } from './words.ts';

const CALLS_MAX = 8;

interface Operation {
  summary?: string;
  description?: string;
  requestBody?: unknown;
}

/** Does a task without tools: it reads what the service says for agents, sends a request, and mends it by the errors. */
export async function byWeb(host: Host, task: Task): Promise<Outcome & { deadEnds: number }> {
  const seen: Seen[] = [await host.web('GET', '/llms.txt')];
  // It stands for the list of tools, which is no call either.
  host.counts.calls--;
  let deadEnds = 0;
  const toDo = task.steps[0]?.do ?? '';
  let place = requestIn(seen[0]?.view ?? '', toDo);
  let names = namesNear(seen[0]?.view ?? '', place?.path ?? '', task.said);
  if (place === undefined || names.length === 0) {
    if (place === undefined) deadEnds++;
    const document = await host.web('GET', '/openapi.json');
    seen.push(document);
    const found = operationIn(document.view, toDo);
    place ??= found;
    names = found?.names ?? [];
  }
  const habits = { ...task.habits };
  const more = new Set<string>();
  while (place !== undefined && host.counts.calls < CALLS_MAX) {
    const body = bodyOf(task.said, [...names, ...more], habits.names ?? {});
    if (habits.unknown === 'empty')
      for (const name of names.filter((one) => task.said[conceptOf(one)] === undefined)) body[name] = '';
    const answer = await host.web(place.method, place.path, body);
    seen.push(answer);
    if (!answer.error) break;
    if (!hasRemedy(answer.view, names)) deadEnds++;
    if (Object.keys(habits).length > 0) {
      delete habits.names;
      delete habits.unknown;
    } else {
      const asked = [...answer.view.matchAll(/"pointer":\s*"\/?(\w+)"|\b([a-z]+_[a-z_]+)\b/g)].map(
        (found) => found[1] ?? found[2] ?? '',
      );
      const fresh = asked.filter(
        (name) => task.said[conceptOf(name)] !== undefined && !names.includes(name) && !more.has(name),
      );
      if (fresh.length === 0) break;
      for (const name of fresh) more.add(name);
    }
  }
  return { answer: seen.at(-1)?.view ?? '', seen: seen.map(({ view }) => view).join('\n'), deadEnds };
}

/** Where a text says that a request is made, in the line that fits best what is to be done. */
function requestIn(text: string, toDo: string): { method: string; path: string } | undefined {
  const wanted = wordsOf(toDo);
  const lines = text.split('\n').flatMap((line) => {
    const [, method, path] = /\b(POST|PUT|GET)\s+`?(?:https?:\/\/[^/\s]+)?(\/[\w/{}.-]*)/.exec(line) ?? [];
    if (method === undefined || path === undefined) return [];
    const there = new Set(wordsOf(`${line} ${path.replaceAll('/', ' ')}`));
    return [{ method, path, fit: wanted.filter((word) => there.has(word)).length }];
  });
  const [best] = lines.toSorted((a, b) => b.fit - a.fit);
  return best !== undefined && best.fit > 0 ? best : undefined;
}

/** The names of fields that stand beside an address and that something which was said is meant by. */
function namesNear(text: string, path: string, said: Said): string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => path !== '' && line.includes(path));
  const near = lines.slice(Math.max(0, at), at + 3).join(' ');
  const names = [...new Set(near.match(/\b[a-z]+(?:_[a-z]+)*\b/g) ?? [])];
  return at < 0
    ? []
    : names
        .filter((name) => name.includes('_') && said[conceptOf(name)] !== undefined)
        .concat(names.filter((name) => name === 'purpose'));
}

function operationIn(
  document: string,
  toDo: string,
): { method: string; path: string; names: string[] } | undefined {
  const { paths, components } = JSON.parse(document) as {
    paths: Record<string, Record<string, Operation>>;
    components?: unknown;
  };
  const wanted = wordsOf(toDo);
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { summary = '', description = '' } = operation;
      const there = new Set(wordsOf(`${path.replaceAll('/', ' ')} ${summary} ${description}`));
      return {
        path,
        method: method.toUpperCase(),
        operation,
        fit: wanted.filter((word) => there.has(word)).length,
      };
    }),
  );
  const [best] = found.toSorted((a, b) => b.fit - a.fit);
  if (best === undefined) return undefined;
  const schema = JSON.stringify(best.operation.requestBody ?? {});
  const [, component = ''] = /#\/components\/schemas\/(\w+)/.exec(schema) ?? [];
  const text =
    component === ''
      ? schema
      : JSON.stringify((components as { schemas?: Record<string, unknown> }).schemas?.[component] ?? {});
  const names = [...text.matchAll(/"(\w+)":\{"(?:type|description|\$ref|anyOf)/g)].map(
    ([, name]) => name ?? '',
  );
  return { method: best.method, path: best.path, names };
}

/** The values of the wording whose names are known; without any, the words of the wording. */
function bodyOf(
  said: Said,
  names: readonly string[],
  habits: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const entries = Object.entries(said).map(([concept, value]): [string, unknown] => {
    const name = names.find((one) => conceptOf(one) === concept) ?? concept;
    return [habits[concept] ?? name, value];
  });
  return Object.fromEntries(entries);
}
