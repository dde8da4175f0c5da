import type { z } from 'zod';
import { recordAudit } from '../../../core/audit.ts';
import type { Deps, StepContext } from '../../../core/context.ts';
import { transactionsOf, type Db } from '../../../core/postgres/db.ts';
import type { Action, ActionContext, ActionResult } from './action.ts';
import type { PageRequest } from './page-request.ts';

/** What an action wants done once it has ended. */
interface AfterEffects {
  about: Parameters<ActionContext<unknown>['audit']> | undefined;
  actor: string | undefined;
  unchanged: boolean;
  outdatesKeys: boolean;
  cookies: string[];
  after: ((outside: StepContext) => Promise<ActionResult | undefined>) | undefined;
}

export interface Performed {
  end: ActionResult;
  wishes: AfterEffects;
}

/** Does an action in its transaction, with its audit row, and then what it wants done outside. */
export async function performAction<Person, Fields extends z.ZodObject, Prepared>(
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
  visit: PageRequest<Person>,
  sent: Pick<ActionContext<Person>, 'form' | 'files'>,
  values: z.output<Fields>,
): Promise<Performed> {
  const inTransaction = transactionsOf(deps.pool);
  const prepared = (await action.prepare?.({ ...visit, ...sent, inTransaction })) as Prepared;
  const performed = await inTransaction(async (tx) => {
    const { act, wishes } = actOf(deps, visit, sent, tx);
    const end = await action.run(act, values, prepared);
    const silent = wishes.unchanged || ('again' in end && wishes.about === undefined);
    if (!silent) {
      const [subject = null, detail = {}, operation = action.name] = wishes.about ?? [];
      await recordAudit(tx, {
        at: visit.now,
        actor: wishes.actor ?? action.who.actor(visit.person),
        operation,
        requestId: visit.request.id,
        subject,
        detail,
      });
    }
    return { end, wishes };
  });
  if (performed.wishes.outdatesKeys) await deps.lease.lapsed();
  const end = await performed.wishes.after?.({ deps, inTransaction });
  return end === undefined ? performed : { ...performed, end };
}

function actOf<Person>(
  deps: Deps,
  { person, params, request, now }: PageRequest<Person>,
  sent: Pick<ActionContext<Person>, 'form' | 'files'>,
  tx: Db,
): { act: ActionContext<Person>; wishes: AfterEffects } {
  const wishes: AfterEffects = {
    about: undefined,
    actor: undefined,
    unchanged: false,
    outdatesKeys: false,
    cookies: [],
    after: undefined,
  };
  const { newId, log } = deps;
  const act: ActionContext<Person> = {
    deps,
    db: tx,
    now,
    newId,
    log,
    person,
    params,
    ...sent,
    request,
    audit: (...about) => (wishes.about = about),
    unchanged: () => (wishes.unchanged = true),
    identify: (actor) => (wishes.actor = actor),
    outdatesKeys: () => (wishes.outdatesKeys = true),
    setCookie: (cookie) => wishes.cookies.push(cookie),
    afterCommit: (work) => (wishes.after = work),
  };
  return { act, wishes };
}
