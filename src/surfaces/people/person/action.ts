import type { FastifyReply } from 'fastify';
import type { AuditDetail } from '../../../core/audit.ts';
import type { Ctx, StepContext } from '../../../core/context.ts';
import type { RateLimit } from '../../../core/operation.ts';
import type { InTransaction } from '../../../core/postgres/db.ts';
import type { Html } from '../../../core/text/html.ts';
import type { FormFields, FormValues } from '../form/fields.ts';
import type { UploadedFile } from '../form/uploaded-files.ts';
import type { Audience } from './audience.ts';
import type { PageRequest, PageState, View } from './page-request.ts';

/** Context of a running action. `db` is its transaction and its only database handle. */
export interface ActionContext<Person> extends Pick<
  Ctx,
  'deps' | 'db' | 'now' | 'newId' | 'log' | 'invalidateKeyCaches'
> {
  person: Person;
  params: Readonly<Record<string, string>>;
  form: URLSearchParams;
  /** Uploaded files; see `files` of the action. */
  files: readonly UploadedFile[];
  request: PageRequest['request'];
  /** Sets the subject of the audit row, and its operation where that differs from the action's name. */
  audit: (subject: string | null, detail?: AuditDetail, operation?: string) => void;
  /** Marks the action as a no-op: no audit row is written. */
  unchanged: () => void;
  /** Sets the actor of the audit row, for a person who has just proven who they are. */
  identify: (actor: string) => void;
  setCookie: (cookie: string) => void;
  /** Runs external work after the commit. A returned result replaces the action's. */
  afterCommit: (work: (outside: StepContext) => Promise<ActionResult | undefined>) => void;
}

/**
 * Result of an action: success, which shows the action's page with its message (`done` names one of several; an action
 * with a single message returns nothing); a redirect; a view in the frame of the action's page; a page that the action
 * sends itself; or the form's page again.
 */
export type ActionResult =
  | { done: string | true }
  | { to: string }
  | { view: View | ((req: PageRequest) => View) }
  | { show(req: PageRequest): FastifyReply | Promise<FastifyReply> }
  | { again: PageState };

/** Context of an action before its transaction begins. */
export interface PrepareContext<Person> extends PageRequest<Person> {
  form: URLSearchParams;
  files: readonly UploadedFile[];
  inTransaction: InTransaction;
}

/** Texts and fields of an action's form. The same object parses what was sent. */
interface ActionForm<Fields extends FormFields> {
  /** Heading of the form. */
  title?: string;
  /** Explains the effect, above the fields. */
  help?: string | Html;
  /** Fields in the order of the form. Errors are shown at them, and the action does not run. */
  fields?: Fields;
  /** Label of the button. */
  button?: string;
  /** The action is hard to undo: its button is red. */
  danger?: boolean;
  /** The action is a minor one: its button is not filled. Without a title this is the default. */
  plain?: boolean;
  /** Consequences of the action. If set, the form is collapsed and shows them above its button. */
  confirm?: string | Html;
  /** Message after success, or several by the key that `run` returns. */
  done?: string | Readonly<Record<string, string>>;
}

/** An action of people on a page: who may perform it, its form and its effect. */
export interface Action<
  Person,
  Fields extends FormFields = FormFields,
  Prepared = undefined,
> extends ActionForm<Fields> {
  /** Name in the audit log. */
  name: string;
  path: string;
  who: Audience<Person>;
  /** Fields with URLs that we will call. A URL that egress rules forbid is reported at its field. */
  callbackUrlFields?: readonly string[];
  /** Set where the form carries files: maximum total size. */
  files?: { bytesMax: number } | undefined;
  /** Rate limits per person, or per network address on public pages. */
  rateLimits?: readonly RateLimit[];
  /**
   * Runs before the transaction: counts an attempt that must stay counted, or does work that is slow on purpose, such
   * as hashing a password, during which no connection and no row lock may be held. It may refuse. Its result is passed
   * to `run`.
   */
  prepare?(context: PrepareContext<Person>): Promise<Prepared>;
  run(
    act: ActionContext<Person>,
    values: FormValues<Fields>,
    prepared: Prepared,
  ): Promise<ActionResult | undefined>;
}

/** Declares an action; the types of its values follow from its fields. */
export function defineAction<
  Person,
  const Fields extends FormFields = Record<string, never>,
  Prepared = undefined,
>(action: Action<Person, Fields, Prepared>): Action<Person, Fields, Prepared> {
  return action;
}

/** Thrown by refuse: the action is rolled back, and its page shows the reason. */
export class Refused extends Error {
  readonly state: PageState;

  constructor(state: PageState) {
    super('The action was refused.');
    this.state = state;
  }
}

/** Rolls the action back and shows its page again with the errors. */
export function refuse(state: PageState): never {
  throw new Refused(state);
}

/** Refuses because of a concurrent change or a conflicting state. */
export function conflict(text: string | Html): never {
  refuse({ status: 409, notice: { kind: 'bad', text } });
}
