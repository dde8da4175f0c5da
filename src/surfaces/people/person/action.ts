import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { AuditDetail } from '../../../core/audit.ts';
import type { Ctx, StepContext } from '../../../core/context.ts';
import type { Ceiling } from '../../../core/operation.ts';
import type { InTransaction } from '../../../core/postgres/db.ts';
import type { Html } from '../../../core/text/html.ts';
import type { FieldKinds } from '../form/read-fields.ts';
import type { UploadedFile } from '../form/uploaded-files.ts';
import type { PageState, PageRequest } from './page-request.ts';
import type { Audience } from './audience.ts';

/** What an action has. `db` is its transaction: there is no other handle to misuse. */
export interface ActionContext<Person> extends Pick<
  Ctx,
  'deps' | 'db' | 'now' | 'newId' | 'log' | 'outdatesKeys'
> {
  person: Person;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  /** What the form carried beside its fields; see `files` of the action. */
  files: readonly UploadedFile[];
  request: PageRequest['request'];
  /** Names what the action was about, for the audit row; also what it was, where its own name does not say so. */
  audit: (subject: string | null, detail?: AuditDetail, operation?: string) => void;
  /** Says that all was so already: nothing is put into the audit log. */
  unchanged: () => void;
  /** Says whom somebody has just proven to be: the audit log calls them so. */
  identify: (actor: string) => void;
  setCookie: (cookie: string) => void;
  /** Has something done outside once this has committed; where it gives an end, that is the action's. */
  afterCommit: (work: (outside: StepContext) => Promise<ActionResult | undefined>) => void;
}

/** How an action ends: the person goes on to another page, sees one at once, or sees the same page again. */
export type ActionResult =
  { to: string } | { show(req: PageRequest): FastifyReply | Promise<FastifyReply> } | { again: PageState };

/** What an action has before its transaction begins. */
export interface PrepareContext<Person> extends PageRequest<Person> {
  form: URLSearchParams;
  files: readonly UploadedFile[];
  inTransaction: InTransaction;
}

/** What a person does on a page: who may, what the form holds, what happens, and the page that the form stands on. */
export interface Action<
  Person,
  Fields extends z.ZodObject = z.ZodObject,
  Prepared = undefined,
> extends FieldKinds {
  /** Its name in the audit log. */
  name: string;
  path: string;
  who: Audience<Person>;
  /** What the form holds. What does not fit is told beside its field, and nothing happens. */
  form?: Fields;
  /** Fields that are addresses which we shall call. One that we may not call is told beside its field. */
  receivers?: readonly string[];
  /** Set where the form carries files: how many bytes they may have together. */
  files?: { bytesMax: number } | undefined;
  /** Ceilings for one person, or for one address where anybody may come. */
  counts?: readonly Ceiling[];
  /**
   * What comes before the transaction: an attempt that stays counted, or work that is slow on purpose, such as hashing a
   * password, during which no connection and no row may be held. It may refuse. What it gives is handed to `run`.
   */
  prepare?(context: PrepareContext<Person>): Promise<Prepared>;
  run(act: ActionContext<Person>, values: z.output<Fields>, prepared: Prepared): Promise<ActionResult>;
  /** The page again, with what came of the form. Absent where a form holds nothing that could be wrong. */
  page?(req: PageRequest<Person>, state: PageState): Promise<FastifyReply>;
}

/** Thrown by refuse: whatever the action did is undone, and its page says why. */
export class Refused extends Error {
  readonly state: PageState;

  constructor(state: PageState) {
    super('The action was refused.');
    this.state = state;
  }
}

/** Undoes the action and shows its page again, with what is wrong. */
export function refuse(state: PageState): never {
  throw new Refused(state);
}

/** Refuses because something has changed meanwhile or stands against it. */
export function conflict(text: string | Html): never {
  refuse({ status: 409, notice: { kind: 'bad', text } });
}
