import { ownValue } from '../../../core/input/own-value.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../../core/context.ts';
import type { Html } from '../../../core/text/html.ts';

/** One request of a person, with all that a page needs to know about it. Nothing can be written through it. */
export interface PageRequest<Person = unknown> {
  deps: Deps;
  request: FastifyRequest;
  reply: FastifyReply;
  person: Person;
  /** What the address names, such as the id of a place. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  now: Date;
}

/** What a page says above itself: what has just been done, or why it was not. */
export interface Notice {
  kind: 'good' | 'bad' | 'warn';
  text: string | Html;
}

/** What came of a form, for the page that is shown again. */
export interface PageState {
  /** The action whose form was sent. */
  action?: string;
  status?: number;
  /** When it may be tried again. */
  retryAfterSeconds?: number;
  notice?: Notice | undefined;
  /** What is wrong with each field, in words that follow its label. */
  faults?: Readonly<Record<string, string>>;
  /** What was sent. */
  form?: URLSearchParams;
}

/** What an action that led here says of itself, by the word that it put into the address. */
export function doneNotice(
  query: URLSearchParams,
  said: Readonly<Record<string, string>>,
): Notice | undefined {
  const done = query.get('done') ?? '';
  const text = ownValue(said, done);
  return text === undefined ? undefined : { kind: 'good', text };
}
