import type { FastifyReply } from 'fastify';
import type { FormFields } from '../form/fields.ts';
import type { Action } from './action.ts';
import type { Audience } from './audience.ts';
import type { PageRequest, PageState, View } from './page-request.ts';

/** A response that sends a file instead of a page. */
interface SentFile {
  send(): FastifyReply | Promise<FastifyReply>;
}

/** A page for one audience: what it reads and what it shows. Its actions show it again. */
export interface Page<Person, Data = undefined> {
  path: string;
  who: Audience<Person>;
  /** Item in the navigation of the area. Pages below its path belong to it. */
  nav?: { label: string; key?: string };
  /** Reads what the page shows. It has no writable database handle. */
  load(req: PageRequest<Person>): Data | Promise<Data>;
  /** Returns the content, a path to redirect to, or a function that sends a file. */
  view(req: PageRequest<Person>, data: Data, state: PageState): View | { to: string } | SentFile;
  /** Topics of the change hub that the page shows. While it is open, the page is read again when one of them changes. */
  follows?(req: PageRequest<Person>): readonly string[];
  actions?: readonly Action<Person, FormFields, unknown>[];
  /** Messages for the `done` keys with which actions of other pages lead here. */
  notices?: Readonly<Record<string, string>>;
}

/** Declares a page; the type of its data follows from `load`. */
export function definePage<Person, Data>(page: Page<Person, Data>): Page<Person, Data> {
  return page;
}

/** Of a page that shows its reader's account: an open page is read again after each change of the account. */
export function ofAccount<Person extends { id: string }>(who: Audience<Person>) {
  return { who, follows: ({ person }: PageRequest<Person>) => [person.id] };
}

/** Draws the area around a page and sends it. */
export type Frame<Person> = (
  req: PageRequest<Person>,
  page: Pick<Page<Person>, 'path' | 'nav'>,
  view: View,
) => Promise<FastifyReply>;

/** Fills the parameters of a path. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
}
