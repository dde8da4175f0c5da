import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Ctx, Outside } from '../../../core/context.ts';
import type { Ceiling } from '../../../core/operation.ts';
import type { Told, Visit } from './visit.ts';
import type { Who } from './who.ts';

/** What an action has. `db` is its transaction: there is no other handle to misuse. */
export interface Act<Person> extends Pick<
  Ctx,
  'deps' | 'db' | 'now' | 'newId' | 'log' | 'audit' | 'outdatesKeys'
> {
  person: Person;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  request: Visit['request'];
  /** Says that all was so already: nothing is put into the audit log. */
  unchanged(): void;
  setCookie(cookie: string): void;
  /** Has something done outside once this has committed; where it gives an end, that is the action's. */
  afterCommit(work: (outside: Outside) => Promise<End | undefined>): void;
}

/** How an action ends: the person goes on to another page, sees one at once, or sees the same page again. */
export type End =
  { to: string } | { show(visit: Visit): FastifyReply | Promise<FastifyReply> } | { again: Told };

/** What a person does on a page: who may, what the form holds, what happens, and the page that the form stands on. */
export interface Action<Person, Fields extends z.ZodObject = z.ZodObject> {
  /** Its name in the audit log. */
  name: string;
  path: string;
  who: Who<Person>;
  /** What the form holds. What does not fit is told beside its field, and nothing happens. */
  form?: Fields;
  /** Fields that are numbers; an empty one is null. */
  numbers?: readonly string[];
  /** Ceilings for one person, or for one address where anybody may come. */
  counts?: readonly Ceiling[];
  run(act: Act<Person>, values: z.output<Fields>): Promise<End>;
  /** The page again, with what came of the form. */
  page(visit: Visit<Person>, told: Told): Promise<FastifyReply>;
}

/** Thrown by refuse: whatever the action did is undone, and its page says why. */
export class Refused extends Error {
  readonly told: Told;

  constructor(told: Told) {
    super('The action was refused.');
    this.told = told;
  }
}

/** Undoes the action and shows its page again, with what is wrong. */
export function refuse(told: Told): never {
  throw new Refused(told);
}
