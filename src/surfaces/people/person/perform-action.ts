import { recordAudit } from '../../../core/audit.ts';
import { findHiddenText, hiddenTextLine } from '../../../core/text/hidden-text.ts';
import type { FormFields, FormValues } from '../form/fields.ts';
import { rawForm } from '../form/form-body.ts';
import type { Deps, StepContext } from '../../../core/context.ts';
import { transactionsOf, type Db } from '../../../core/postgres/db.ts';
import type { Action, ActionContext, ActionResult } from './action.ts';
import type { PageRequest } from './page-request.ts';

/** Effects that an action requests for after its transaction. */
interface AfterEffects {
  about: Parameters<ActionContext<unknown>['audit']> | undefined;
  actor: string | undefined;
  unchanged: boolean;
  keyCachesOutdated: boolean;
  cookies: string[];
  after: ((outside: StepContext) => Promise<ActionResult | undefined>) | undefined;
}

interface ActionOutcome {
  end: ActionResult;
  effects: AfterEffects;
}

/** Runs an action in its transaction, writes its audit row, and then runs its after-commit work. */
export async function performAction<Person, Fields extends FormFields, Prepared>(
  deps: Deps,
  action: Action<Person, Fields, Prepared>,
  req: PageRequest<Person>,
  sent: Pick<ActionContext<Person>, 'form' | 'files'>,
  values: FormValues<Fields>,
): Promise<ActionOutcome> {
  const inTransaction = transactionsOf(deps.pool);
  const prepared = (await action.prepare?.({ ...req, ...sent, inTransaction })) as Prepared;
  const performed = await inTransaction(async (tx) => {
    const { act, effects } = actionContext(deps, req, sent, tx);
    const end = (await action.run(act, values, prepared)) ?? { done: true };
    const unaudited = effects.unchanged || ('again' in end && effects.about === undefined);
    if (!unaudited) {
      const [subject = null, detail = {}, operation = action.name] = effects.about ?? [];
      await recordAudit(tx, {
        at: req.now,
        actor: effects.actor ?? action.who.actor(req.person),
        operation,
        requestId: req.request.id,
        subject,
        detail: { ...detail, ...hiddenTextLine(findHiddenText(Object.fromEntries(rawForm(req.request)))) },
      });
    }
    return { end, effects };
  });
  if (performed.effects.keyCachesOutdated) await deps.lease.lapsed();
  const end = await performed.effects.after?.({ deps, inTransaction: deps.outside });
  return end === undefined ? performed : { ...performed, end };
}

function actionContext<Person>(
  deps: Deps,
  { person, params, request, now }: PageRequest<Person>,
  sent: Pick<ActionContext<Person>, 'form' | 'files'>,
  tx: Db,
): { act: ActionContext<Person>; effects: AfterEffects } {
  const effects: AfterEffects = {
    about: undefined,
    actor: undefined,
    unchanged: false,
    keyCachesOutdated: false,
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
    audit: (...about) => (effects.about = about),
    unchanged: () => (effects.unchanged = true),
    identify: (actor) => (effects.actor = actor),
    invalidateKeyCaches: () => (effects.keyCachesOutdated = true),
    setCookie: (cookie) => effects.cookies.push(cookie),
    afterCommit: (work) => (effects.after = work),
  };
  return { act, effects };
}
