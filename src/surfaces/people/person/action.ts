import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Ctx, StepContext } from '../../../core/context.ts';
import type { Ceiling } from '../../../core/operation.ts';
import type { PageState, PageRequest } from './page-request.ts';
import type { Audience } from './audience.ts';

/** What an action has. `db` is its transaction: there is no other handle to misuse. */
export interface ActionContext<Person> extends Pick<
  Ctx,
  'deps' | 'db' | 'now' | 'newId' | 'log' | 'audit' | 'outdatesKeys'
> {
  person: Person;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  request: PageRequest['request'];
  /** What the audit log calls this, where one form does several things and the action's name is not right. */
  auditAs(name: string): void;
  /** Says that all was so already: nothing is put into the audit log. */
  unchanged(): void;
  setCookie(cookie: string): void;
  /** Has something done outside once this has committed; where it gives an end, that is the action's. */
  afterCommit(work: (outside: StepContext) => Promise<ActionResult | undefined>): void;
}

/** How an action ends: the person goes on to another page, sees one at once, or sees the same page again. */
export type ActionResult =
  { to: string } | { show(visit: PageRequest): FastifyReply | Promise<FastifyReply> } | { again: PageState };

/** What a person does on a page: who may, what the form holds, what happens, and the page that the form stands on. */
export interface Action<Person, Fields extends z.ZodObject = z.ZodObject> {
  /** Its name in the audit log. */
  name: string;
  path: string;
  who: Audience<Person>;
  /** What the form holds. What does not fit is told beside its field, and nothing happens. */
  form?: Fields;
  /** Fields that are numbers; an empty one is null. */
  numbers?: readonly string[];
  /** Fields that are addresses which we shall call. One that we may not call is told beside its field. */
  receivers?: readonly string[];
  /** Ceilings for one person, or for one address where anybody may come. */
  counts?: readonly Ceiling[];
  run(act: ActionContext<Person>, values: z.output<Fields>): Promise<ActionResult>;
  /** The page again, with what came of the form. */
  page(visit: PageRequest<Person>, told: PageState): Promise<FastifyReply>;
}

/** Thrown by refuse: whatever the action did is undone, and its page says why. */
export class Refused extends Error {
  readonly told: PageState;

  constructor(told: PageState) {
    super('The action was refused.');
    this.told = told;
  }
}

/** Undoes the action and shows its page again, with what is wrong. */
export function refuse(told: PageState): never {
  throw new Refused(told);
}
